import type { Order, Stage } from '../check/row.ts'
import { signed } from '../check/good-rows.ts'
import type { Event } from '../events.ts'
import type { ReplyOutcome } from '../exchange.ts'
import { redirectMessage } from '../messages.ts'
import type { StandInGateway } from './stand-in-gateway.ts'

/** A stage with the gateway that the shop calls. */
export interface CertifyStage extends Stage {
  readonly gateway: StandInGateway
}

/** Whether Malipo takes the reply for a yes. */
export const isYes = (reply: ReplyOutcome): boolean =>
  reply.kind === 'answered' && reply.status >= 200 && reply.status < 300
/** Whether it is a no, and not a request to come again. */
export const isNo = (reply: ReplyOutcome): boolean =>
  reply.kind === 'answered' && reply.status >= 400 && reply.status < 500 && ![408, 425, 429].includes(reply.status)

export const inWords = (reply: ReplyOutcome): string =>
  reply.kind === 'answered' ? `answered ${reply.status}` : reply.why

/** The event about an order. */
export const told = ({ context, order }: Stage, outcome: 'completed' | 'failed', of: Order = order): Event =>
  context.eventOf(of, outcome)

/** Sends a callback as Malipo does. */
export const callBack = (
  { context, send }: Stage,
  event: Event,
  webhookId?: string,
  timeoutMs?: number,
): Promise<ReplyOutcome> => send(signed(context, event, webhookId), timeoutMs)

/** Sends the customer back with a genuine signature. */
export const comeBack = ({ context, redirectUrl, send }: Stage, event: Event): Promise<ReplyOutcome> =>
  send(redirectMessage({ url: redirectUrl, event, at: context.now(), signingKey: context.keys.signingKey }))

/** What went wrong with starting the payment of the order; absent: nothing. */
export function startFault({ gateway, order }: CertifyStage, reply: ReplyOutcome): string | undefined {
  if (reply.kind === 'answered' && [400, 404, 405, 501].includes(reply.status) && gateway.calls.length === 0)
    return `POST {"action": "start"} to its test page was ${inWords(reply)}`
  const { started } = gateway
  if (started.length === 1 && started[0] === order.merchantReference) return undefined
  if (started.length > 1) return `it started ${started.length} collections for one order`
  return `it started no collection under ${order.merchantReference}`
}
