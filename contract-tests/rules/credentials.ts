import type { Key } from '../../openapi/reading/contract.ts'
import type { Fault, Judge } from './observed-exchange.ts'
import { NOTHING_JUDGED, type Rule } from './rule.ts'

/** HTTP removes blanks and tabs around a value (RFC 9110, section 5.5); every other character is part of it. */
const outerRemoved = (value: string): string => value.replace(/^[ \t]+|[ \t]+$/g, '')
const letters = (value: string): string => value.replaceAll(/[^a-z0-9]/gi, '').toLowerCase()

/** What is wrong with the header lines of a credential; undefined: nothing that shows. @param known the right values */
function faultIn(lines: readonly string[] | undefined, known: readonly string[]): string | undefined {
  const [line, ...others] = lines ?? []
  if (line === undefined) return 'none'
  if (others.length > 0) return `${others.length + 1} lines`
  const value = outerRemoved(line)
  if (value === '') return 'an empty one'
  if (known.includes(value)) return undefined
  if (/^[^\x21-\x7e]|[^\x21-\x7e]$/.test(value)) return 'one that is padded'
  return known.some((right) => letters(right) === letters(value)) ? 'one in another spelling' : undefined
}

/** Success needs each credential of the operation: one line, letter for letter. */
const credentialJudge =
  (knownFor: (key: Key) => readonly string[]): Judge =>
  ({ direction, operation, exchange: { request, reply } }) => {
    if (direction === 'received' || !operation || reply.status >= 300) return []
    return operation.keys.flatMap((key): readonly Fault[] => {
      const fault = key.in === 'header' ? faultIn(request.headers[key.header], knownFor(key)) : undefined
      if (fault === undefined) return []
      const what = `a request whose ${key.header} is ${fault} was answered ${reply.status}: it has no valid ${key.header}, so the contract's answer is 401`
      return [{ rule: `credential ${key.header} ${fault}`, what }]
    })
  }

export const credentialsRule: Rule = {
  name: 'credentials',
  reason: 'An empty, repeated or padded key is no key: only its outer blanks and tabs are not part of it.',
  plantedFault: 'secret-key-trimmed',
  judging: ({ contract, accounts }) =>
    contract.operations.some(({ keys }) => keys.length > 0)
      ? {
          each: credentialJudge(({ header }) =>
            accounts
              .map((account) => (header === 'secret-key' ? account?.secretKey : account?.publicKey))
              .filter((value) => value !== undefined),
          ),
        }
      : NOTHING_JUDGED,
}
