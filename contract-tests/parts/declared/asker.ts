import type { Contract } from '../../../openapi/reading/contract.ts'
import { curlLine, withoutKeys } from '../../harness/curl.ts'
import type { Finding, Target } from '../../harness/part.ts'
import { passOn, type WireReply } from '../../harness/proxy.ts'
import type { Ask } from './ask.ts'
import { judge } from './judge.ts'

/** Sends requests, holds each reply against the contract, and remembers each wrong thing once. */
export interface Asker {
  /** Undefined: there was no reply. */
  put(ask: Ask): Promise<WireReply | undefined>
  note(key: string, ask: Ask, what: string): void
  result(): { readonly findings: readonly Finding[]; readonly cases: number; readonly checks: number }
}

export function createAsker(target: Target, contract: Contract): Asker {
  const found = new Map<string, { readonly first: Finding; readonly operations: Set<string> }>()
  const url = new URL(target.url)
  let cases = 0
  let checks = 0

  function note(key: string, ask: Ask, what: string): void {
    const known = found.get(key)
    if (known) known.operations.add(ask.operation.id)
    else
      found.set(key, {
        first: {
          about: ask.operation.id,
          what: withoutKeys(what, target),
          curl: curlLine(target, ask.request),
        },
        operations: new Set([ask.operation.id]),
      })
  }

  return {
    note,
    async put(ask) {
      cases++
      let reply: WireReply
      try {
        reply = await passOn(url, ask.request)
      } catch (error) {
        // A server may close the connection on a body that it will not read.
        if (!ask.expect.statuses.includes(413))
          note(
            `no reply: ${ask.rule}`,
            ask,
            `${ask.rule} was not answered: ${error instanceof Error ? error.message : String(error)}`,
          )
        return undefined
      }
      // Status, body, and each declared header.
      checks += 2 + (ask.operation.responses.find(({ status }) => status === String(reply.status))?.headers.length ?? 0)
      for (const { key, what } of judge(contract, ask, reply)) note(key, ask, what)
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
