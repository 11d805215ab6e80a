// `npm run simulate [-- --schedules 10000 --seed 1]`: runs the real actions under seeded schedules.
import { parseArgs } from 'node:util'
import { withProgress } from '../../progress.ts'
import { FORMS, formCalled, type Form } from './form.ts'
import { simulateMany, type Failure } from './run-many.ts'
import { shrink } from './shrink.ts'
import { replay, simulate, type ScheduleResult } from './simulate.ts'

const HELP = `npm run simulate -- [options]

The real actions, job loop and queues over a database in memory, a hostile rail, hostile merchants and a clock that jumps: one seeded scheduler decides at
every await who continues, who dies, who pauses, whose reply is lost. After each schedule the money is counted.

  --schedules n   how many, default 10000
  --seed n        of the first; each schedule has the next one. Default 1
  --rails form    simulated: an operator that speaks the port's own terms, if absent; wire: the real adapters with exchange, tokens and
                  circuit, against the operators' simulators by HTTP requests and replies as objects
  --jobs n        threads, default 2
  --trace         print one schedule (--seed) line by line
  --replay list   print the schedule of these decisions, as a failure reports them
  --first         end with the first that fails; it is made simpler unless --no-shrink is given
  --json          the result as one line`

const { values } = parseArgs({
  options: {
    schedules: { type: 'string', default: '10000' },
    rails: { type: 'string', default: 'simulated' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '2' },
    trace: { type: 'boolean', default: false },
    replay: { type: 'string' },
    first: { type: 'boolean', default: false },
    'no-shrink': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
const seed = Number(values.seed)
const schedules = Number(values.schedules)
const jobs = Number(values.jobs)
const form = formCalled(values.rails)
/** For printed commands: the form, unless it is the default. */
const ofForm = form === FORMS[0] ? '' : `--rails ${values.rails} `

async function main(): Promise<number> {
  if (values.help) return say(HELP, 0)
  if (![seed, schedules, jobs].every((number) => Number.isInteger(number) && number > 0) || !form) return say(HELP, 2)
  if (values.replay !== undefined) return sendReport(await replay(values.replay.split(',').map(Number), form))
  if (values.trace) return sendReport(await simulate(seed, form))
  return many(form)
}

function sendReport({ notes, faults, choices }: ScheduleResult): number {
  const verdict = faults.length === 0 ? ['nothing is wrong'] : faults.map((fault) => `WRONG: ${fault}`)
  const trace = notes.map(({ afterMs, text }) => `${(afterMs / 1000).toFixed(1).padStart(9)} s  ${text}`)
  return say([...trace, '', ...verdict, `decisions: ${choices.join(',')}`].join('\n'), faults.length === 0 ? 0 : 1)
}

async function many(rails: Form): Promise<number> {
  const result = await withProgress('simulating', ({ at }) =>
    simulateMany({
      seed,
      schedules,
      jobs,
      form: rails,
      stopAtFirst: values.first,
      onProgress: (done) => at(`${done} of ${schedules} schedules`),
    }),
  )
  if (values.json)
    return say(
      JSON.stringify({
        ...result,
        failures: result.failures.map((one) => ({ seed: one.seed, faults: one.result.faults })),
      }),
      result.failures.length === 0 ? 0 : 1,
    )
  const rate = Math.round(result.schedules / result.seconds)
  say(
    `${result.schedules} schedules from seed ${seed}, ${result.steps} steps, ${result.seconds.toFixed(1)} s, ${rate} schedules/s: ${
      result.failures.length === 0 ? 'nothing is wrong after any of them' : `${result.failures.length} FAILED`
    }`,
    0,
  )
  const [first, ...others] = result.failures
  if (!first) return 0
  if (others.length > 0) say(`also: ${others.map(({ seed: failed }) => `--seed ${failed}`).join(', ')}`, 0)
  await report(first, rails)
  return 1
}

async function report(failure: Failure, rails: Form): Promise<void> {
  const { seed: failed, result } = failure
  say(
    `\nseed ${failed}:\n${result.faults.map((fault) => `  ${fault}`).join('\n')}\nagain: npm run simulate -- ${ofForm}--trace --seed ${failed}`,
    0,
  )
  if (values['no-shrink']) return
  const simple = await shrink(result, rails)
  say(`\nmade simpler, from ${result.steps} to ${simple.steps} steps:\n`, 0)
  sendReport(simple)
  say(`again: npm run simulate -- ${ofForm}--replay ${simple.choices.join(',')}`, 0)
}

function say(text: string, code: number): number {
  ;(code === 2 ? console.error : console.log)(text)
  return code
}

process.exitCode = await main()
