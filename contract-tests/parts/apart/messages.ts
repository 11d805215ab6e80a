import { RECEIVER_PATHS, OTHER_RECEIVER_PATHS } from '../../harness/own-merchants.ts'
import { fieldsOf } from '../../harness/json.ts'
import { HANDSHAKE } from '../receiver/schedule.ts'
import { headerOf, isFinal, isState, payloadOf } from '../receiver/message-fields.ts'
import { startReceiver, type Message, type Receiver } from '../receiver/server.ts'
import { isSigned, stateSignatureFaults, type SignatureKeys } from '../receiver/signatures.ts'
import type { CreatedPayment } from './created-payments.ts'
import type { Merchant } from './merchant.ts'
import type { MerchantPair } from './merchant-pair.ts'
import { passing } from './steps.ts'

interface WebhookTarget {
  readonly merchant: Merchant
  readonly webhook: string
}

const ABOUT = { A: RECEIVER_PATHS, B: OTHER_RECEIVER_PATHS } as const

/** Receives the messages of both merchants and confirms every payout. */
export function listenForBoth({ target: { receiver, own } }: MerchantPair): Promise<Receiver> {
  const now = own ? { now: () => own.now() } : {}
  const paths = Object.fromEntries(
    Object.entries(ABOUT).flatMap(([letter, own]) =>
      Object.entries(own).map(([name, path]) => [`${letter} ${name}`, path]),
    ),
  )
  return startReceiver({ port: receiver?.port ?? 0, paths, ...now })
}

/** Callbacks and handshakes of each merchant come to its own URLs, signed with its own keys. */
export async function judgeMessages(
  pair: MerchantPair,
  made: readonly CreatedPayment[],
  messages: readonly Message[],
  rsaKey: SignatureKeys['rsaKey'],
): Promise<void> {
  const byReference = new Map(made.map(({ reference, merchant }) => [reference, merchant]))
  for (const message of messages) {
    // Both merchants may use a reference, and a handshake names nothing else.
    const { internal_reference: internal } = payloadOf(message)
    const owner = pair.owners.get(String(internal)) ?? byReference.get(message.reference ?? '')
    if (owner) await judge(pair, owner, message, rsaKey)
  }
  const received = ({ reference }: CreatedPayment): boolean =>
    messages.some((message) => message.reference === reference && isFinal(payloadOf(message)))
  const ending = made.filter(({ ends }) => ends)
  await passing(pair.target.own, () => ending.every(received))
  for (const payment of ending) {
    const { merchant, what, answer, reference } = payment
    const fault = !received(payment) && `no callback about ${what} of ${merchant.name} came`
    pair.hold('callbacks', `of ${merchant.letter} arrive`, fault, [answer.request], { names: [reference] })
  }
}

function placeOf({ first, second }: MerchantPair, { webhook = '' }: Message): WebhookTarget | undefined {
  const [letter, name = ''] = webhook.split(' ')
  if (name === '') return undefined
  return { merchant: letter === 'A' ? first : second, webhook: name === 'handshake' ? HANDSHAKE : name }
}

async function judge(
  pair: MerchantPair,
  owner: Merchant,
  message: Message,
  rsaKey: SignatureKeys['rsaKey'],
): Promise<void> {
  const place = placeOf(pair, message)
  const isOwn = place?.merchant === owner
  const about = place?.webhook ?? 'callbacks'
  const where = place ? `the ${place.webhook} URL of ${place.merchant.name}` : 'an unknown URL'
  pair.hold(about, 'own URLs', !isOwn && `a message about ${message.reference} of ${owner.name} came to ${where}`)
  if (isOwn) await signed(pair, owner, message, about, rsaKey)
}

async function signed(
  pair: MerchantPair,
  owner: Merchant,
  message: Message,
  about: string,
  rsaKey: SignatureKeys['rsaKey'],
): Promise<void> {
  const parts = {
    id: headerOf(message, 'webhook-id'),
    timestamp: headerOf(message, 'webhook-timestamp'),
    signature: headerOf(message, 'webhook-signature'),
    body: message.body,
  }
  const other = owner === pair.first ? pair.second : pair.first
  const [own, others] = [owner, other].map(({ signs }) => signs && isSigned(parts, signs.webhookSecret))
  const whose = `a message about ${message.reference} of ${owner.name}`
  pair.hold(about, 'own webhook secret', own === false && `${whose} is not signed with its webhook secret`)
  pair.hold(about, "other's webhook secret", others === true && `${whose} is signed with the secret of the other one`)
  const state = { event: fieldsOf(message.json)['event'], ...payloadOf(message) }
  if (!owner.signs || !isState(state)) return
  const rsa = headerOf(message, 'rsa-signature')
  const signatures = { hmac: headerOf(message, 'hmac-signature'), rsa, rsaKeyId: headerOf(message, 'rsa-key-id') }
  const [fault] = await stateSignatureFaults(state, signatures, { ...owner.signs, rsaKey }, message.at)
  pair.hold(
    about,
    'own signing key',
    fault !== undefined && `${whose} is not signed for it: ${fault.rule}: ${fault.what}`,
  )
}
