import type { Contract } from '../../../openapi/reading/contract.ts'
import { jsonOf } from '../../../openapi/reading/wire.ts'
import type { Target } from '../../harness/part.ts'
import { passOn, wireRequest, type WireReply } from '../../harness/proxy.ts'
import { HIDDEN_PATHS } from './hidden-paths.ts'
import type { FindingNotes } from './finding-notes.ts'

const ABOUT = 'hidden paths'
const AT_ONCE = 8

/** Requests each hidden path without keys and with both. @returns the number of requests */
export async function requestHidden(target: Target, contract: Contract, noted: FindingNotes): Promise<number> {
  const keys = { 'public-key': target.publicKey, 'secret-key': target.secretKey, 'x-api-version': '1' }
  const waiting = HIDDEN_PATHS.values()
  const requestNext = async (): Promise<void> => {
    for (const path of waiting) {
      const without = await request(target, path, {})
      const withKeys = await request(target, path, keys)
      for (const [headers, reply] of [[{}, without] as const, [keys, withKeys] as const]) {
        const fault = faultIn(contract, reply)
        const what = `${path} ${fault}, not 404 in the envelope, as the page "Errors" has it for a wrong path`
        if (fault !== undefined)
          noted.note(`hidden ${fault}`, { about: ABOUT, what }, wireRequest('GET', path, headers))
      }
      const what = `${path} is answered otherwise to who has keys`
      if (!without.body.equals(withKeys.body))
        noted.note('hidden with keys', { about: ABOUT, what }, wireRequest('GET', path, keys))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, requestNext))
  return 2 * HIDDEN_PATHS.length
}

const request = ({ url }: Target, path: string, headers: Readonly<Record<string, string>>): Promise<WireReply> =>
  passOn(new URL(url), wireRequest('GET', path, headers))

/** One object: a schema is compiled once per object. */
const ERROR_REPLY = { $ref: '#/components/schemas/ErrorReply' }

function faultIn({ faultIn: faultOf }: Contract, { status, body }: WireReply): string | undefined {
  if (status !== 404) return `is answered ${status}`
  const reported = jsonOf(body)
  if (reported === undefined) return 'is answered 404 with no JSON'
  return faultOf(ERROR_REPLY, reported) === undefined ? undefined : 'is answered 404 in another form'
}
