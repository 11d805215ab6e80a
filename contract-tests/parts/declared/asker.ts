import type { Contract, Operation } from '../../../openapi/reading/contract.ts'
import { curlLine, withoutKeys, type Hide } from '../../harness/curl.ts'
import type { Finding, Target } from '../../harness/part.ts'
import { passOn, type WireReply, type WireRequest } from '../../harness/proxy.ts'
import type { Ask } from './ask.ts'
import type { Fault } from './beyond-schemas.ts'
import { judge } from './judge.ts'

/** Sends requests, holds each reply against the contract, and remembers each wrong thing once. */
export interface Asker<Asked extends Question = Ask> {
  /** Undefined: there was no reply. */
  put(ask: Asked): Promise<WireReply | undefined>
  note(key: string, ask: Asked, what: string): void
  result(): { readonly findings: readonly Finding[]; readonly cases: number; readonly checks: number }
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
  const found = new Map<string, { readonly first: Finding; readonly operations: Set<string> }>()
  const to = new URL(url)
  let cases = 0
  let checks = 0

  function note(key: string, ask: Asked, what: string): void {
    const known = found.get(key)
    if (known) known.operations.add(ask.operation.id)
    else
      found.set(key, {
        first: { about: ask.operation.id, what: hide(what), curl: curlLine({ url, hide }, ask.request) },
        operations: new Set([ask.operation.id]),
      })
  }

  return {
    note,
    async put(ask) {
      cases++
      let reply: WireReply
      try {
        reply = await passOn(to, ask.request)
      } catch (error) {
        if (!mayClose(ask))
          note(
            `no reply: ${ask.rule}`,
            ask,
            `${ask.rule} was not answered: ${error instanceof Error ? error.message : String(error)}`,
          )
        return undefined
      }
      // Status, body, and each declared header.
      checks += 2 + (ask.operation.responses.find(({ status }) => status === String(reply.status))?.headers.length ?? 0)
      for (const { key, what } of faultsOf(ask, reply)) note(key, ask, what)
      return reply
    },
    result: () => ({
      cases,
      checks,
      findings: [...found.values()].map(({ first, operations: [, ...others] }) =>
        others.length === 0 ? first : { ...first, what: `${first.what} (also ${others.join(', ')})` },
      ),
    }),
  }
}
