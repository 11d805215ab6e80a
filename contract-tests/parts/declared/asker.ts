import type { Contract, Operation } from '../../../openapi/reading/contract.ts'
import { curlLine, withoutKeys, type Redact } from '../../harness/curl.ts'
import type { Finding, PartResult, Target } from '../../harness/part.ts'
import { passOn, type WireReply, type WireRequest } from '../../harness/proxy.ts'
import type { DeclaredCase } from './ask.ts'
import type { Fault } from './beyond-schemas.ts'
import { judge } from './judge.ts'

/** What a server says that has too much to do. */
const BUSY = [408, 503, 504]

/** Sends requests, holds each reply against the contract, and remembers each wrong thing once. */
export interface CaseRunner<Case extends Question = DeclaredCase> {
  /** Undefined: there was no reply. */
  put(request: Case): Promise<WireReply | undefined>
  note(key: string, request: Case, what: string): void
  result(): Pick<PartResult, 'cases' | 'checks' | 'findings'> & Required<Pick<PartResult, 'seenOnce' | 'rules'>>
}

/** A request, and what is special about it. */
export interface Question {
  readonly operation: Operation
  readonly rule: string
  readonly request: WireRequest
}

/** Where requests go, and how what comes back is judged and told. */
export interface CaseRunnerOptions<Case extends Question> {
  readonly url: string
  readonly hide: Redact
  readonly judge: (request: Case, reply: WireReply) => readonly Fault[]
  /** A server may close the connection on a body that it will not read. */
  readonly mayClose: (request: Case) => boolean
}

/** Of our own contract. */
export const createAsker = (target: Target, contract: Contract): CaseRunner =>
  askerOf({
    url: target.url,
    hide: (text, asVariable) => withoutKeys(text, target, asVariable),
    judge: (request, reply) => judge(contract, request, reply),
    mayClose: ({ expect }) => expect.statuses.includes(413),
  })

/** Of any contract. */
export function askerOf<Case extends Question>({
  url,
  hide,
  judge: faultsOf,
  mayClose,
}: CaseRunnerOptions<Case>): CaseRunner<Case> {
  const { note, list } = createNotes({ url, hide })
  const to = new URL(url)
  const rules = new Set<string>()
  const seenOnce: Finding[] = []
  let [cases, checks] = [0, 0]

  const answer = (request: Case): Promise<WireReply | string> =>
    passOn(to, request.request, { resends: true }).catch((error: unknown) =>
      error instanceof Error ? error.message : String(error),
    )

  function judged(request: Case, reply: WireReply): WireReply {
    // Status, body, and each declared header.
    checks +=
      2 + (request.operation.responses.find(({ status }) => status === String(reply.status))?.headers.length ?? 0)
    for (const { key, what } of faultsOf(request, reply)) note(key, request, what)
    return reply
  }

  /** What did not come at once, and what a busy server says, depends on time. @param came instead of a reply */
  async function putAgain(request: Case, came: string): Promise<WireReply | undefined> {
    const again = await answer(request)
    if (typeof again === 'string') {
      note(`no reply: ${request.rule}`, request, `${request.rule} was not answered: ${again}`)
      return undefined
    }
    if (String(again.status) === came) return judged(request, again)
    seenOnce.push({ about: request.operation.id, what: hide(`${request.rule} was not answered at once: ${came}`) })
    // The first request may have been carried out: then it is no wonder that the second is refused.
    return request.request.method === 'GET' || faultsOf(request, again).length === 0 ? judged(request, again) : again
  }

  return {
    note,
    async put(request) {
      cases++
      rules.add(request.rule)
      const reply = await answer(request)
      if (typeof reply === 'string') return mayClose(request) ? undefined : putAgain(request, reply)
      const isBusy = BUSY.includes(reply.status) && faultsOf(request, reply).length > 0
      return isBusy ? putAgain(request, String(reply.status)) : judged(request, reply)
    },
    result: () => ({ cases, checks, seenOnce, rules: [...rules], findings: list() }),
  }
}

/** Each wrong thing once, with the operations that show it. */
function createNotes({ url, hide }: Pick<CaseRunnerOptions<Question>, 'url' | 'hide'>) {
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
