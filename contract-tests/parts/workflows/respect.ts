import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { runProgram } from '../../harness/program.ts'

export interface FailedStep {
  /** `collections.arazzo.yaml collectByBank` */
  readonly workflow: string
  readonly step: string
  readonly what: string
  readonly request?: {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, unknown>>
    readonly body?: unknown
  }
}

interface RespectOptions {
  readonly files: readonly string[]
  /** Address of each source description, by its name. */
  readonly servers: Readonly<Record<string, string>>
  readonly inputs: Readonly<Record<string, string>>
  readonly timeoutMs: number
}

/** Path of Redocly's command; undefined where it is not installed: the package of these tests does not bring it. */
export const REDOCLY = ((): string | undefined => {
  try {
    return createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')
  } catch {
    return undefined
  }
})()

interface Step {
  readonly stepId: string
  readonly status: string
  readonly checks?: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly condition?: string
  }[]
  readonly request?: FailedStep['request']
  readonly response?: { readonly statusCode: number; readonly body: unknown }
}

interface FileReport {
  readonly totalRequests: number
  readonly executedWorkflows: readonly { readonly workflowId: string; readonly executedSteps: readonly Step[] }[]
}
interface JsonReport {
  readonly files: Readonly<Record<string, FileReport>>
}

/** Runs Arazzo files by `redocly respect`. @throws Error with its output, when it wrote no report */
export async function respect({ files, servers, inputs, timeoutMs }: RespectOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'malipo-respect-'))
  const report = join(folder, 'report.json')
  const args = [
    'respect',
    ...files,
    '--json-output',
    report,
    '--execution-timeout',
    String(timeoutMs),
    ...Object.entries(servers).flatMap(([name, url]) => ['--server', `${name}=${url}`]),
  ]
  try {
    const output = await run(args, inputs, timeoutMs + START_MS)
    const text = await readFile(report, 'utf8').catch(() => {
      throw new Error(`redocly respect wrote no report:\n${output.slice(-PRINTED_MAX)}`)
    })
    return summary(JSON.parse(text) as JsonReport)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const START_MS = 10_000
const PRINTED_MAX = 2_000

/** Inputs go through the environment: every user of a machine can read arguments. */
async function run(args: readonly string[], inputs: RespectOptions['inputs'], timeoutMs: number): Promise<string> {
  const { out, err } = await runProgram(process.execPath, [REDOCLY ?? '', ...args], {
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    env: {
      ...process.env,
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
      REDOCLY_CLI_RESPECT_INPUT: JSON.stringify(inputs),
    },
  })
  return out + err
}

/** The requests that were run, and the steps that failed. */
function summary({ files }: JsonReport) {
  const workflows = Object.entries(files).flatMap(([file, { executedWorkflows }]) =>
    executedWorkflows.map((workflow) => ({ file: basename(file), ...workflow })),
  )
  return {
    workflows: workflows.length,
    requests: Object.values(files).reduce((sum, { totalRequests }) => sum + totalRequests, 0),
    checks: workflows
      .flatMap(({ executedSteps }) => executedSteps)
      .reduce((sum, { checks = [] }) => sum + checks.length, 0),
    failures: workflows.flatMap(({ file, workflowId, executedSteps }) =>
      lastTries(executedSteps)
        .filter(hasFailed)
        .map((step): FailedStep => ({
          workflow: `${file} ${workflowId}`,
          step: step.stepId,
          what: reasonOf(step),
          ...(step.request && { request: step.request }),
        })),
    ),
  }
}

/** The report contains every attempt of a repeated step; the last one counts. */
const lastTries = (steps: readonly Step[]): readonly Step[] => [
  ...new Map(steps.map((step) => [step.stepId, step])).values(),
]

const failedChecks = ({ checks = [] }: Step) => checks.filter(({ status }) => status !== 'success')
/** A step whose request was never answered has no checks. */
const hasFailed = (step: Step): boolean => failedChecks(step).length > 0 || step.status !== 'success'

function reasonOf(step: Step): string {
  const failed = failedChecks(step).map(({ name, condition, message }) => condition ?? `${name}: ${message}`)
  return `${failed.length > 0 ? `not so: ${failed.join('; ')}` : 'the request was not answered'}${answerOf(step)}`
}

const ANSWER_MAX = 400

function answerOf({ response }: Step): string {
  if (!response) return ''
  const body = response.body === undefined ? 'without a body' : JSON.stringify(response.body).slice(0, ANSWER_MAX)
  return `; answered ${response.statusCode} ${body}`
}
