import type { WireReply, WireRequest } from '../../harness/proxy.ts'
import type { Fault, Plant } from './fault.ts'

type Hooks = NonNullable<Plant['api']>

/** One server that has all of these faults: each stands around those after it, and knows nothing of them. */
export const together = (name: string, faults: readonly Fault[]): Fault => ({
  name,
  group: 'keys',
  what: `has ${faults.length} faults`,
  at: [...new Set(faults.flatMap(({ at = [] }) => at))],
  plant: (world) => {
    const plants = faults.map(({ plant }) => plant(world))
    const bytes = plants.flatMap((plant) => (plant.bytes ? [plant.bytes] : []))
    return {
      api: nested(plants.map(({ api = {} }) => api)),
      merchant: nested(plants.map(({ merchant = {} }) => merchant)),
      // Each makes triggers of the same names.
      database: plants.flatMap(({ database = [] }, index) =>
        database.map((statement) => statement.replaceAll(/\bplanted(?:_work)?\b/g, `$&_${index}`)),
      ),
      bytes: {
        fromClient: (text) => bytes.reduce((said, { fromClient = same }) => fromClient(said), text),
        fromServer: (text) => bytes.toReversed().reduce((said, { fromServer = same }) => fromServer(said), text),
      },
    }
  },
})

const same = (text: string): string => text

/** How far a message came, and what each on its way was given. */
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
          // As a proxy has it: who answers by itself sees the request as it came.
          const answer = { ...changed.answer }
          ways.set(answer, { given: [...given, requested] })
          return { answer }
        }
        requested = changed
        given.push(requested)
      }
      // The same request may come again: each way is its own.
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
