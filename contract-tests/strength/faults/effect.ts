import type { WireReply, WireRequest } from '../../harness/proxy.ts'
import type { Fault, FaultContext } from './fault.ts'
import type { SampleExchange, Traffic } from './sample-traffic.ts'

/**
 * Whether a fault changes any message of the recorded traffic: a request, a reply, a message to a merchant, its
 * answer, or the number of messages. Faults in bytes and in the database are not judged.
 */
export async function hasEffect(fault: Fault, { api, merchant }: Traffic, world: FaultContext): Promise<boolean> {
  let delivered = 0
  const plant = fault.plant({
    ...world,
    deliver: (message) => {
      delivered += 1
      return world.deliver(message)
    },
  })
  const changes = async (hooks: typeof plant.api, passed: readonly SampleExchange[]): Promise<boolean> => {
    for (const { request, reply } of passed) if ((await changesOne(hooks, request, reply)) || delivered > 0) return true
    return false
  }
  // The gateway's replies first: a fault in messages may depend on them.
  return (await changes(plant.api, api)) || (await changes(plant.merchant, merchant))
}

async function changesOne(
  { onRequest = (request) => request, onReply = (reply) => reply }: NonNullable<ReturnType<Fault['plant']>['api']> = {},
  request: WireRequest,
  reply: WireReply,
): Promise<boolean> {
  const passed = await onRequest(request)
  if ('answer' in passed || isOther(passed, request)) return true
  try {
    return isOther(await onReply(reply, passed), reply)
  } catch {
    // The connection is dropped.
    return true
  }
}

const isOther = <Message extends WireReply | WireRequest>(one: Message, other: Message): boolean =>
  one !== other && textOf(one) !== textOf(other)

const textOf = ({ headers, body, ...line }: WireReply | WireRequest): string => {
  // Content-Length follows from the body.
  const { 'content-length': _, ...others } = headers
  return JSON.stringify([
    line,
    Object.entries(others).toSorted(([one], [another]) => (one < another ? -1 : 1)),
    body.toString('latin1'),
  ])
}
