import { RECEIVER_PATHS, OTHER_RECEIVER_PATHS } from '../../harness/receiver-paths.ts'
import { isFinal, payloadOf } from '../../driver/message-fields.ts'
import { startReceiver, type Message, type Receiver } from '../../driver/merchant-server.ts'
import type { CreatedPayment } from './created-payments.ts'
import type { Target } from '../../harness/part.ts'
import type { MerchantPair } from './merchant-pair.ts'
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

/** Each payment that ends has a callback; the rule "signatures" sees whose URL it comes to, and whose keys sign it. */
export async function judgeMessages(
  { fixture }: MerchantPair,
  made: readonly CreatedPayment[],
  messages: readonly Message[],
): Promise<void> {
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
