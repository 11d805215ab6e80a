import { RECEIVER_PATHS, OTHER_RECEIVER_PATHS } from '../../harness/own-merchants.ts'
import { HANDSHAKE } from '../../driver/webhooks.ts'
import { isFinal, payloadOf } from '../../driver/message-fields.ts'
import { startReceiver, type Message, type Receiver } from '../../driver/merchant-server.ts'
import type { CreatedPayment } from './created-payments.ts'
import type { Merchant } from '../../driver/merchant.ts'
import type { MerchantPair } from './merchant-pair.ts'
import { passing } from '../../driver/clock.ts'

interface WebhookTarget {
  readonly merchant: Merchant
  readonly webhook: string
}

const ABOUT = { A: RECEIVER_PATHS, B: OTHER_RECEIVER_PATHS } as const

/** Receives the messages of both merchants and confirms every payout. */
export function listenForBoth({ target: { receiver, own } }: MerchantPair): Promise<Receiver> {
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
  const byReference = new Map(made.map(({ reference, merchant }) => [reference, merchant]))
  for (const message of messages) {
    // Both merchants may use a reference, and a handshake names nothing else.
    const { internal_reference: internal } = payloadOf(message)
    const owner = pair.owners.get(String(internal)) ?? byReference.get(message.reference ?? '')
    if (owner) judge(pair, owner, message)
  }
  const received = ({ reference }: CreatedPayment): boolean =>
    messages.some((message) => message.reference === reference && isFinal(payloadOf(message)))
  const ending = made.filter(({ ends }) => ends)
  await passing(pair.target.own, () => ending.every(received))
  for (const payment of ending) {
    const { merchant, what, answer } = payment
    const fault = !received(payment) && `no callback about ${what} of ${merchant.name} came`
    pair.hold('callbacks', `of ${merchant.letter} arrive`, fault, [answer])
  }
}

function placeOf({ first, second }: MerchantPair, { webhook = '' }: Message): WebhookTarget | undefined {
  const [letter, name = ''] = webhook.split(' ')
  if (name === '') return undefined
  return { merchant: letter === 'A' ? first : second, webhook: name === 'handshake' ? HANDSHAKE : name }
}

function judge(pair: MerchantPair, owner: Merchant, message: Message): void {
  const place = placeOf(pair, message)
  const isOwn = place?.merchant === owner
  const about = place?.webhook ?? 'callbacks'
  const where = place ? `the ${place.webhook} URL of ${place.merchant.name}` : 'an unknown URL'
  pair.hold(about, 'own URLs', !isOwn && `a message about ${message.reference} of ${owner.name} came to ${where}`)
}
