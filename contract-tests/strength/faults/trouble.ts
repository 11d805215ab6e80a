import type { Plant } from './fault.ts'
import type { WireReply, WireRequest } from '../../harness/proxy.ts'

const PATH_SHOWN_MAX = 60

/** The reason of a reply about an operator that is silent: a test number asks for it. */
const OPERATOR_AWAY = '"operator_unavailable"'

/** Watches the gateway's own replies: a 503 on a busy machine proves nothing about the fault. */
export interface FaultErrors {
  /** To be called with every reply of the gateway. */
  noted(reply: WireReply, request: Pick<WireRequest, 'method' | 'path'>): WireReply
  /** The hooks of a fault, watched. Answers of the fault are its own doing. */
  watched(hooks: NonNullable<Plant['api']>): NonNullable<Plant['api']>
  /** The first failure; undefined when there was none. */
  first(): string | undefined
}

export function createTrouble(): FaultErrors {
  let first: string | undefined
  const planted = new WeakSet<WireReply>()
  function noted(reply: WireReply, { method, path }: Pick<WireRequest, 'method' | 'path'>): WireReply {
    if (reply.status >= 500 && !planted.has(reply) && !reply.body.includes(OPERATOR_AWAY))
      first ??= `${reply.status} to ${method} ${path.slice(0, PATH_SHOWN_MAX)}`
    return reply
  }
  return {
    noted,
    watched: ({ onRequest = (request) => request, onReply = (reply) => reply }) => ({
      onRequest: async (request) => {
        const changed = await onRequest(request)
        if ('answer' in changed) planted.add(changed.answer)
        return changed
      },
      onReply: (reply, request) => onReply(noted(reply, request), request),
    }),
    first: () => first,
  }
}
