import { curlLine } from '../../harness/curl.ts'
import type { Target } from '../../harness/part.ts'
import type { WireRequest } from '../../harness/proxy.ts'

/** What was done, in its order, so that a reader can do the same again. */
export interface Story {
  asked(request: WireRequest): void
  waited(ms: number): void
  /** What no line of a shell does: a customer in a browser, a merchant's server. */
  told(words: string): void
  /** One line for `sh`. References and phone numbers are made anew, because the server knows these. */
  line(): string
}

type Step = { readonly curl: string; times: number } | { readonly sleepS: number } | { readonly words: string }

const INTERNAL_REFERENCE = /MLP[0-9A-HJKMNP-TV-Z]{22}/g

/** @param stamp what all references of this run have in them */
export function createStory(target: Target, stamp: string): Story {
  const steps: Step[] = []
  return {
    asked(request) {
      const curl = curlLine(target, request)
      const last = steps.at(-1)
      if (last && 'curl' in last && last.curl === curl) last.times += 1
      else steps.push({ curl, times: 1 })
    },
    waited(ms) {
      const last = steps.at(-1)
      const sleepS = ms / 1000
      if (last && 'sleepS' in last) steps.splice(-1, 1, { sleepS: last.sleepS + sleepS })
      else steps.push({ sleepS })
    },
    told: (words) => {
      steps.push({ words })
    },
    line: () => ['n=$(date +%s)', ...steps.map((step) => commandOf(step, stamp))].join('; '),
  }
}

function commandOf(step: Step, stamp: string): string {
  if ('sleepS' in step) return `sleep ${step.sleepS}`
  if ('words' in step) return `: '${step.words}'`
  const fresh = step.curl
    .replaceAll(stamp, `'"$n"'`)
    .replace(/"(msisdn|account_number)":"(\+?2\d{5})\d{3}(\d{3})"/g, `"$1":"$2'"\${n#???????}"'$3"`)
    // A password goes to the collection that was made last before it: its reply names it.
    .replace(INTERNAL_REFERENCE, `'"$i"'`)
  if (step.times > 1) return `for k in $(seq ${step.times}); do ${fresh}; done`
  if (!step.curl.includes('/collections/initialize')) return fresh
  return `r=$(${fresh}); echo "$r"; i=$(echo "$r" | grep -o 'MLP[0-9A-Z]*' | head -n 1)`
}
