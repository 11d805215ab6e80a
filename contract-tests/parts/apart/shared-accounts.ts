import { mobileCollection } from '../../harness/bodies.ts'
import { collect, verify } from './merchant.ts'
import type { MerchantPair } from './pair.ts'

/** What one merchant says of his customer. */
const SAID = { customer_name: 'Amina of the one', customer_email: 'amina@one.example' }

/** Both have one customer, by his number: what one of them says of him the other is never told. */
export async function sharedAccounts(pair: MerchantPair): Promise<void> {
  for (const [one, other] of pair.ways) {
    const msisdn = pair.phone('001')
    const [named, unnamed] = [pair.reference('NAMED'), pair.reference('UNNAMED')]
    const first = await collect(one, mobileCollection({ merchant_reference: named, msisdn, ...SAID }))
    const second = await collect(other, mobileCollection({ merchant_reference: unnamed, msisdn }))
    pair.owners.set(String(first.data['internal_reference']), one)
    pair.owners.set(String(second.data['internal_reference']), other)
    await pair.settle([
      { merchant: one, reference: named },
      { merchant: other, reference: unnamed },
    ])
    const reported = await verify(other, unnamed)
    const text = [second, reported].map(({ reply }) => reply?.body.toString('utf8') ?? '').join('\n')
    const leaked = Object.entries(SAID).find(([, value]) => text.includes(value))
    pair.hold(
      'verifyTransaction',
      'said by another',
      leaked !== undefined && `a payment of ${other.name} tells the ${leaked[0]} that ${one.name} gave for the account`,
      [first.request, second.request, reported.request],
      { names: [named, unnamed] },
    )
  }
}
