import { RECEIVER_PATHS, OTHER_RECEIVER_PATHS } from '../../harness/own-merchants.ts'
import { HANDSHAKE } from '../../driver/webhooks.ts'
import { isFinal, payloadOf } from '../../driver/message-fields.ts'
import { startReceiver, type Message, type Receiver } from '../../driver/merchant-server.ts'
import type { CreatedPayment } from './created-payments.ts'
import type { Target } from '../../harness/part.ts'
import type { Merchant, MerchantPair } from './merchant-pair.ts'
import { passing } from '../../driver/clock.ts'

const ABOUT = { A: RECEIVER_PATHS, B: OTHER_RECEIVER_PATHS } as const

/** Receives the messages of both merchants and confirms every payout. */
export function listenForBoth({ receiver, own }: Target): Promise<Receiver> {
  const paths = Object.fromEntries(
    Object.entries(ABOUT).flatMap(([letter, own]) =>
      Object.entries(own).map(([name, path]) => [`${letter} ${name}`, path]),
    ),
  )
  return startReceiver({ port: receiver?.port ?? 0, paths, own })
}

/** Callbacks and handshakes of each merchant come to its own URLs; the rules verify with whose keys they are signed. */
export async function judgeMessages(
  pair: MerchantPair,
  made: readonly CreatedPayment[],
  messages: readonly Message[],
): Promise<void> {
  const { fixture, owners } = pair
  const byReference = new Map(made.map(({ reference, merchant }) => [reference, merchant]))
  for (const message of messages) {
    // Both merchants may use a reference, and a handshake names nothing else.
    const { internal_reference: internal } = payloadOf(message)
    const owner = owners.get(internal) ?? byReference.get(message.reference ?? '')
    if (owner) judge(pair, owner, message)
  }
  const received = ({ reference }: CreatedPayment): boolean =>
    messages.some((message) => message.reference === reference && isFinal(payloadOf(message)))
  const ending = made.filter(({ ends }) => ends)
  await passing(fixture.target.own, () => ending.every(received))
  for (const payment of ending) {
    const { driver, merchant, what } = payment
    const missing = `no callback about ${what} of ${merchant.name} came`
    driver.hold('callbacks', received(payment), `of ${merchant.letter} arrive`, missing)
  }
}

function judge({ fixture, first, second }: MerchantPair, owner: Merchant, { webhook = '', reference }: Message): void {
  const [letter, name = ''] = webhook.split(' ')
  const merchant = letter === 'A' ? first : second
  const about = name === 'handshake' ? HANDSHAKE : name || 'callbacks'
  const where = name === '' ? 'an unknown URL' : `the ${about} URL of ${merchant.name}`
  const what = `a message about ${reference} of ${owner.name} came to ${where}`
  const isOwn = name !== '' && merchant === owner
  fixture.findings.hold(about, 1, isOwn ? [] : [{ rule: 'own URLs', what }], 'messages of both')
}
