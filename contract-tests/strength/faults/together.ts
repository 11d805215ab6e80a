import type { WireReply, WireRequest } from '../../harness/proxy.ts'
import type { Plant, TrafficPlant } from './fault.ts'

type Hooks = NonNullable<Plant['api']>

/** One server with all of these faults: each one wraps those after it, and does not know of them. */
export const together =
  (faults: readonly TrafficPlant['start'][]): TrafficPlant['start'] =>
  (context) => {
    const plants = faults.map((start) => start(context))
    const bytes = plants.flatMap((plant) => (plant.bytes ? [plant.bytes] : []))
    return {
      api: nested(plants.map(({ api = {} }) => api)),
      merchant: nested(plants.map(({ merchant = {} }) => merchant)),
      bytes: {
        fromClient: (text) => bytes.reduce((said, { fromClient = same }) => fromClient(said), text),
        fromServer: (text) => bytes.toReversed().reduce((said, { fromServer = same }) => fromServer(said), text),
      },
    }
  }

const same = (text: string): string => text

/** How far a message came, and the input of each hook on its way. */
interface RequestSet {
  readonly given: readonly WireRequest[]
}

function nested(hooks: readonly Hooks[]): Hooks {
  const ways = new WeakMap<WireRequest | WireReply, RequestSet>()
  return {
    async onRequest(request) {
      const given: WireRequest[] = []
      let requested = request
      for (const { onRequest } of hooks) {
        const changed = onRequest ? await onRequest(requested) : requested
        if ('answer' in changed) {
          // As in a proxy: a hook that answers on its own receives the request as it came.
          const answer = { ...changed.answer }
          ways.set(answer, { given: [...given, requested] })
          return { answer }
        }
        requested = changed
        given.push(requested)
      }
      // The same request object may come again: each pass has its own entry.
      const sent = { ...requested }
      ways.set(sent, { given })
      return sent
    },
    async onReply(reply, request) {
      const { given } = ways.get(reply) ?? ways.get(request) ?? { given: [] }
      let reported = reply
      for (const [index, requested] of [...given.entries()].toReversed()) {
        const onReply = hooks[index]?.onReply
        if (onReply) reported = await onReply(reported, requested)
      }
      return reported
    },
  }
}
