import { curlLine } from '../harness/curl.ts'
import { freshDigits } from '../harness/lines/fresh-line.ts'
import type { Target } from '../harness/part.ts'
import type { WireRequest } from '../harness/proxy.ts'

export type RequestStory = ReturnType<typeof createStory>

interface RecordedRequest {
  readonly curl: string
  times: number
  /** Internal references of its replies. */
  readonly made: Set<unknown>
}
type Step = RecordedRequest | { readonly sleepS: number } | { readonly words: string }

const INTERNAL_REFERENCE = /MLP[0-9A-HJKMNP-TV-Z]{22}/g

/** The steps so far, in order, so that a reader can repeat them. @param stamp part of all references of this run */
export function createStory(target: Target, stamp: string) {
  const steps: Step[] = []
  return {
    /** @returns the placeholder of the reply's internal reference, if it has one */
    requested(request: WireRequest): (made: unknown) => void {
      const curl = curlLine(target, request)
      const last = steps.at(-1)
      const isRepeated = last !== undefined && 'curl' in last && last.curl === curl
      const step: RecordedRequest = isRepeated ? last : { curl, times: 0, made: new Set() }
      step.times += 1
      if (!isRepeated) steps.push(step)
      return (made) => step.made.add(made)
    },
    waited(ms: number): void {
      const last = steps.at(-1)
      const sleepS = ms / 1000
      if (last && 'sleepS' in last) steps.splice(-1, 1, { sleepS: last.sleepS + sleepS })
      else steps.push({ sleepS })
    },
    /** Steps outside of a shell line: a customer in a browser, a merchant's server. */
    note: (words: string): void => void steps.push({ words }),
    /** One line for `sh`. References and phone numbers are generated anew, because the server knows these. */
    line(): string {
      const shown = withLastReads(steps)
      const commands = shown.flatMap((step, at) => commandsOf(step, at, { steps: shown, stamp }))
      return [...(commands.some((each) => /\$n|\$\{n/.test(each)) ? [freshDigits('n', 10)] : []), ...commands].join(
        '; ',
      )
    },
  }
}

const READS_MAX = 20

/** A part reads thousands of records; the last ones are what a reader needs, and all that changed something. */
function withLastReads(steps: readonly Step[]): readonly Step[] {
  const reads = steps.filter((step) => 'curl' in step && step.curl.includes(' -X GET '))
  const older = new Set(reads.slice(0, -READS_MAX))
  return steps.filter((step) => !older.has(step))
}

/** A reply to one of these names a new payment. */
const MAKES = /\/collections\/initialize|\/payout\/send-funds/
const AUTHORIZE = '/collections/authorize'
/** The OTP is accepted once it was sent, a moment after the payment was accepted. */
const PASSWORD_SENT = 'sleep 2'

function commandsOf(
  step: Step,
  at: number,
  { steps, stamp }: { readonly steps: readonly Step[]; readonly stamp: string },
): string[] {
  if ('sleepS' in step) return [`sleep ${step.sleepS}`]
  if ('words' in step) return [`: '${step.words}'`]
  const fresh = step.curl
    .replaceAll(stamp, `'"$n"'`)
    .replace(/"(msisdn|account_number)":"(\+?2\d{5})\d{3}(\d{3})"/g, `"$1":"$2'"\${n#???????}"'$3"`)
    .replace(INTERNAL_REFERENCE, (made) => {
      const maker = steps.findIndex((each) => 'curl' in each && each.made.has(made) && MAKES.test(each.curl))
      return maker < 0 ? made : `'"$i${maker}"'`
    })
  // A reply has no trailing newline: the next one would start on its last line.
  const command = MAKES.test(step.curl)
    ? `r=$(${fresh}); echo "$r"; i${at}=$(echo "$r" | grep -o 'MLP[0-9A-Z]*' | head -n 1)`
    : `${fresh}; echo`
  const repeated = step.times > 1 ? `for k in $(seq ${step.times}); do ${command}; done` : command
  const before = steps[at - 1]
  const isReady = before !== undefined && ('sleepS' in before || ('curl' in before && before.curl.includes(AUTHORIZE)))
  return [...(step.curl.includes(AUTHORIZE) && !isReady ? [PASSWORD_SENT] : []), repeated]
}
