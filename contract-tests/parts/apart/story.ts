import { curlLine, type Secrets } from '../../harness/curl.ts'
import type { WireRequest } from '../../harness/proxy.ts'

export interface Story {
  readonly url: string
  readonly keys: Secrets
}

/** What a shell makes anew, because it can be used only once. */
export interface Fresh {
  /** References and keys of requests: each beginning is replaced, what comes after it stays. */
  readonly names?: readonly string[]
  /** Of the reply to the first request. */
  readonly internalReference?: string
  /** Waits before the last request, until the payment is done. */
  readonly pauseSeconds?: number
}

/** Several requests as one line for a shell, in their order. */
export function storyLine({ url, keys }: Story, requests: readonly WireRequest[], fresh: Fresh = {}): string {
  const { names = [], internalReference, pauseSeconds } = fresh
  const lines = requests.map((request) =>
    names.reduce(
      (line, name, index) => line.replaceAll(name, `AGAIN${index}-'"$AGAIN"'`),
      curlLine({ url, ...keys }, request),
    ),
  )
  const [first = '', ...rest] = lines
  const told =
    internalReference === undefined
      ? lines
      : [
          `ID=$(${first} | grep -o 'MLP[0-9A-Z]*' | head -n 1)`,
          ...rest.map((line) => line.replaceAll(internalReference, `'"$ID"'`)),
        ]
  if (pauseSeconds !== undefined) told.splice(-1, 0, `sleep ${pauseSeconds}`)
  return [...(names.length > 0 ? ['AGAIN=$(date +%s)'] : []), ...told].join('; ')
}
