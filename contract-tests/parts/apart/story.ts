import { curlLine, type Secrets } from '../../harness/curl.ts'
import { freshDigits } from '../../harness/lines/fresh-line.ts'
import type { WireRequest } from '../../harness/proxy.ts'

interface CurlContext {
  readonly url: string
  readonly keys: Secrets
}

/** Values that a shell generates anew, because they are accepted only once. */
export interface FreshValues {
  /** Prefixes of references and keys: each prefix is replaced, the rest stays. */
  readonly names?: readonly string[]
  /** Names in the replies to the first requests, in order. */
  readonly internalReferences?: readonly string[]
  /** Waits before the last request until the payment is done. */
  readonly pauseSeconds?: number
}

/** The OTP is accepted once it was sent, a moment after the payment was accepted. */
const PASSWORD_SENT = 'sleep 2'

/** Several requests as one shell line, in order. */
export function storyLine(
  { url, keys }: CurlContext,
  requests: readonly WireRequest[],
  fresh: FreshValues = {},
): string {
  const { names = [], internalReferences = [], pauseSeconds } = fresh
  const lines = requests.map((request) =>
    internalReferences.reduce(
      (line, id, index) => line.replaceAll(id, `'"$ID${index}"'`),
      names.reduce(
        (line, name, index) => line.replaceAll(name, `AGAIN${index}-'"$AGAIN"'`),
        curlLine({ url, ...keys }, request),
      ),
    ),
  )
  const reported = lines.map((line, index) =>
    index < internalReferences.length ? `ID${index}=$(${line} | grep -o 'MLP[0-9A-Z]*' | head -n 1)` : line,
  )
  if (pauseSeconds !== undefined) reported.splice(-1, 0, `sleep ${pauseSeconds}`)
  const password = requests.findIndex(({ path }) => path.endsWith('/collections/authorize'))
  if (password > 0) reported.splice(password, 0, PASSWORD_SENT)
  // A reply has no trailing newline: the next one would start on its last line.
  const apart = reported.flatMap((each, index) => (index > 0 && each.startsWith('curl ') ? ['echo', each] : [each]))
  return [...(names.length > 0 ? [freshDigits('AGAIN', 10)] : []), ...apart].join('; ')
}
