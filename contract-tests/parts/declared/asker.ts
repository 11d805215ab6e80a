import type { Contract, Operation } from '../../../openapi/reading/contract.ts'
import { curlLine, withoutKeys, type Hide } from '../../harness/curl.ts'
import type { Finding, PartResult, Target } from '../../harness/part.ts'
import { passOn, type WireReply, type WireRequest } from '../../harness/proxy.ts'
import type { Ask } from './ask.ts'
import type { Fault } from './beyond-schemas.ts'
import { judge } from './judge.ts'

/** What a server says that has too much to do. */
const BUSY = [408, 503, 504]

/** Sends requests, holds each reply against the contract, and remembers each wrong thing once. */
export interface Asker<Asked extends Question = Ask> {
  /** Undefined: there was no reply. */
  put(ask: Asked): Promise<WireReply | undefined>
  note(key: string, ask: Asked, what: string): void
  result(): Pick<PartResult, 'cases' | 'checks' | 'findings'> & Required<Pick<PartResult, 'seenOnce' | 'rules'>>
}

/** A request, and what is special about it. */
export interface Question {
  readonly operation: Operation
  readonly rule: string
  readonly request: WireRequest
}

/** Where requests go, and how what comes back is judged and told. */
export interface Asking<Asked extends Question> {
  readonly url: string
  readonly hide: Hide
  readonly judge: (ask: Asked, reply: WireReply) => readonly Fault[]
  /** A server may close the connection on a body that it will not read. */
  readonly mayClose: (ask: Asked) => boolean
}

/** Of our own contract. */
export const createAsker = (target: Target, contract: Contract): Asker =>
  askerOf({
    url: target.url,
    hide: (text, asVariable) => withoutKeys(text, target, asVariable),
    judge: (ask, reply) => judge(contract, ask, reply),
    mayClose: ({ expect }) => expect.statuses.includes(413),
  })

/** Of any contract. */
export function askerOf<Asked extends Question>({ url, hide, judge: faultsOf, mayClose }: Asking<Asked>): Asker<Asked> {
  const { note, list } = createNotes({ url, hide })
  const to = new URL(url)
  const rules = new Set<string>()
  const seenOnce: Finding[] = []
  let [cases, checks] = [0, 0]

  const answer = (ask: Asked): Promise<WireReply | string> =>
    passOn(to, ask.request, { resends: true }).catch((error: unknown) =>
      error instanceof Error ? error.message : String(error),
    )

  function judged(ask: Asked, reply: WireReply): WireReply {
    // Status, body, and each declared header.
    checks += 2 + (ask.operation.responses.find(({ status }) => status === String(reply.status))?.headers.length ?? 0)
    for (const { key, what } of faultsOf(ask, reply)) note(key, ask, what)
    return reply
  }

  /** What did not come at once, and what a busy server says, depends on time. @param came instead of a reply */
  async function putAgain(ask: Asked, came: string): Promise<WireReply | undefined> {
    const again = await answer(ask)
    if (typeof again === 'string') {
      note(`no reply: ${ask.rule}`, ask, `${ask.rule} was not answered: ${again}`)
      return undefined
    }
    if (String(again.status) === came) return judged(ask, again)
    seenOnce.push({ about: ask.operation.id, what: hide(`${ask.rule} was not answered at once: ${came}`) })
    // The first request may have been carried out: then it is no wonder that the second is refused.
    return ask.request.method === 'GET' || faultsOf(ask, again).length === 0 ? judged(ask, again) : again
  }

  return {
    note,
    async put(ask) {
      cases++
      rules.add(ask.rule)
      const reply = await answer(ask)
      if (typeof reply === 'string') return mayClose(ask) ? undefined : putAgain(ask, reply)
      const isBusy = BUSY.includes(reply.status) && faultsOf(ask, reply).length > 0
      return isBusy ? putAgain(ask, String(reply.status)) : judged(ask, reply)
    },
    result: () => ({ cases, checks, seenOnce, rules: [...rules], findings: list() }),
  }
}

/** Each wrong thing once, with the operations that show it. */
function createNotes({ url, hide }: Pick<Asking<Question>, 'url' | 'hide'>) {
  const found = new Map<string, { readonly first: Finding; readonly operations: Set<string> }>()
  return {
    note(key: string, { operation, request, rule }: Question, what: string): void {
      const known = found.get(key)
      if (known) known.operations.add(operation.id)
      else {
        const curl = curlLine({ url, hide }, request)
        const first = { about: operation.id, what: hide(what), curl, rule, cause: hide(key) }
        found.set(key, { first, operations: new Set([operation.id]) })
      }
    },
    list: (): Finding[] =>
      [...found.values()].map(({ first, operations: [, ...also] }) => (also.length === 0 ? first : { ...first, also })),
  }
}
