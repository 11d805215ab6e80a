import { mobileCollection } from '../../driver/bodies.ts'
import { collect, verify } from '../../driver/merchant.ts'
import type { MerchantPair } from './merchant-pair.ts'

/** What one merchant states about its customer. */
const STATEMENTS = { customer_name: 'Amina of the one', customer_email: 'amina@one.example' }

/** Two merchants with one customer, by phone number: what one of them states is never disclosed to the other. */
export async function sharedAccounts(pair: MerchantPair): Promise<void> {
  for (const [one, other] of pair.ways) {
    const msisdn = pair.phone('001')
    const [named, unnamed] = [pair.reference('NAMED'), pair.reference('UNNAMED')]
    const first = await collect(one, mobileCollection({ merchant_reference: named, msisdn, ...STATEMENTS }))
    const second = await collect(other, mobileCollection({ merchant_reference: unnamed, msisdn }))
    pair.owners.set(String(first.data['internal_reference']), one)
    pair.owners.set(String(second.data['internal_reference']), other)
    await pair.settle([
      { merchant: one, reference: named },
      { merchant: other, reference: unnamed },
    ])
    const reported = await verify(other, unnamed)
    const text = [second, reported].map(({ reply }) => reply?.body.toString('utf8') ?? '').join('\n')
    const leaked = Object.entries(STATEMENTS).find(([, value]) => text.includes(value))
    pair.hold(
      'verifyTransaction',
      'disclosed to another',
      leaked !== undefined &&
        `a payment of ${other.name} contains the ${leaked[0]} that ${one.name} gave for the account`,
      [first, second, reported],
    )
  }
}
