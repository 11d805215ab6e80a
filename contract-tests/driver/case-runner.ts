import type { Operation } from '../../openapi/reading/contract.ts'
import { curlLine, type Redact } from '../harness/curl.ts'
import type { Finding, PartResult } from '../harness/part.ts'
import { passOn, type WireReply, type WireRequest } from '../harness/proxy.ts'

/** A fault of a reply. */
export interface Fault {
  /** Equal for the same defect, wherever it shows. */
  readonly key: string
  readonly what: string
}

/** Statuses of an overloaded server. */
const BUSY = [408, 503, 504]

/** Sends requests, checks each reply against the contract, and keeps each defect once. */
export interface CaseRunner<Case extends RuleRequest> {
  /** Undefined: there was no reply. */
  put(request: Case): Promise<WireReply | undefined>
  note(key: string, request: Case, what: string): void
  result(): Pick<PartResult, 'cases' | 'checks' | 'findings'> & Required<Pick<PartResult, 'notReproduced' | 'rules'>>
}

/** A request, and the rule that it tests. */
export interface RuleRequest {
  readonly operation: Operation
  readonly rule: string
  readonly request: WireRequest
}

/** Address of the server, and how its replies are judged and reported. */
interface CaseRunnerOptions<Case extends RuleRequest> {
  readonly url: string
  readonly hide: Redact
  readonly judge: (request: Case, reply: WireReply) => readonly Fault[]
  /** A server may close the connection on a body that it refuses to read. */
  readonly mayClose: (request: Case) => boolean
}

export function createCaseRunner<Case extends RuleRequest>({
  url,
  hide,
  judge: faultsOf,
  mayClose,
}: CaseRunnerOptions<Case>): CaseRunner<Case> {
  const { note, list } = createNotes({ url, hide })
  const to = new URL(url)
  const rules = new Set<string>()
  const notReproduced: Finding[] = []
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

  /**
   * Repeats a request once, because a missing reply or an overloaded server depends on time. @param came the first
   * result, in place of a reply
   */
  async function putAgain(request: Case, came: string): Promise<WireReply | undefined> {
    const again = await answer(request)
    if (typeof again === 'string') {
      note(`no reply: ${request.rule}`, request, `${request.rule} was not answered: ${again} (it was sent twice)`)
      return undefined
    }
    if (String(again.status) === came) return judged(request, again)
    const what = hide(`${request.rule} was not answered at first (${came}), and was when it was sent again`)
    const curl = curlLine({ url, hide }, request.request)
    notReproduced.push({ about: request.operation.id, what, curl, cause: `not answered at first: ${came}` })
    // The first request may have been carried out, which explains a refusal of the second.
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
    result: () => ({ cases, checks, notReproduced, rules: [...rules], findings: list() }),
  }
}

/** Keeps each defect once, with the operations that show it. */
function createNotes({ url, hide }: Pick<CaseRunnerOptions<RuleRequest>, 'url' | 'hide'>) {
  const found = new Map<string, { readonly first: Finding; readonly operations: Set<string> }>()
  return {
    note(key: string, { operation, request, rule }: RuleRequest, what: string): void {
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
