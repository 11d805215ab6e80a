import { attachSandbox, SandboxError, type Sandbox, type SandboxClock } from '../testing/sandbox.ts'
import { GATEWAY_OPTION, gatewayOf } from './gateway-option.ts'
import type { Terminal } from './terminal.ts'
import { readArguments, readNumber, type Command, type OptionTable } from './usage.ts'

const TIMEOUT_SECONDS_MAX = 240

const OPTIONS = {
  gateway: GATEWAY_OPTION,
  timeout: { type: 'string', value: 'SECONDS', default: '60', help: 'how long the sandbox may take' },
} as const satisfies OptionTable

/** `malipo-dev clock show`. */
export const clockShowCommand: Command = {
  name: 'clock show',
  summary: "shows a sandbox's clock, and how far it is ahead of real time",
  takes: '',
  example: 'malipo-dev clock show',
  options: { gateway: GATEWAY_OPTION },
  run(args, terminal) {
    const { values } = readArguments(args, { gateway: GATEWAY_OPTION }, { min: 0, max: 0, name: '' })
    return withSandbox(values.gateway, terminal, async (sandbox) => clockText(await sandbox.clock()))
  },
}

/** `malipo-dev clock advance`. */
export const clockAdvanceCommand: Command = {
  name: 'clock advance',
  summary: "advances a sandbox's clock, and returns when all that was due until then is done",
  takes: '<duration or time>',
  example: 'malipo-dev clock advance 24h',
  options: OPTIONS,
  notes: [
    'A duration is written 90s, 5m, 1h30m or 7d, a year at most; a time such as 2027-01-01T00:00:00Z is advanced to, and changes nothing once it has come.',
    'Retries, expiries, holds and limits each come at their own time and in order. Timestamps of webhooks stay those of real time, so your receiver accepts them.',
    'It exits with 1 when the time-out comes first, with what still runs: the same command goes on. The clock never goes back: for a fresh one delete the data folder of the sandbox (.malipo).',
  ],
  run(args, terminal) {
    const {
      values,
      positionals: [by = ''],
    } = readArguments(args, OPTIONS, { min: 1, max: 1, name: 'The duration' })
    const timeoutSeconds = readNumber(values.timeout, '--timeout', { min: 1, max: TIMEOUT_SECONDS_MAX })
    const to = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(by) && !Number.isNaN(Date.parse(by)) ? new Date(by) : by
    return withSandbox(values.gateway, terminal, async (sandbox) =>
      clockText(await sandbox.advanceClock(to, { timeoutSeconds })),
    )
  },
}

/**
 * Does something with a running sandbox, and prints the result.
 *
 * @returns the exit code: 1 when the sandbox refused it, or there is none
 */
export async function withSandbox(
  gateway: string | undefined,
  terminal: Terminal,
  run: (sandbox: Sandbox) => Promise<string>,
): Promise<number> {
  try {
    terminal.print(await run(attachSandbox(gatewayOf(gateway, terminal))))
    return 0
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
    terminal.complain(error.message)
    return 1
  }
}

function clockText({ now, aheadMs }: SandboxClock): string {
  const minutes = Math.round(aheadMs / 60_000)
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24]
  const ahead = aheadMs < 30_000 ? `${aheadMs / 1_000} s` : `${days} d ${hours} h ${minutes % 60} min`
  return aheadMs === 0
    ? `${now.toISOString()}, which is real time`
    : `${now.toISOString()}, ${ahead} ahead of real time`
}
