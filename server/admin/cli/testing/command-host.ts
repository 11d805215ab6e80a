// A process that runs one command after the other, as `server/cli.ts` does, and reports what each printed. Starting
// Node costs more than most commands. After each command it reports the handles that the command left open, which would
// keep a process of its own from ending.
import { runProgram } from '../program.ts'

export interface Command {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}
export interface Outcome {
  readonly code: number
  readonly out: string
  readonly err: string
  readonly leftOpen: readonly string[]
}

type Stream = 'stdout' | 'stderr'
const STREAMS: readonly Stream[] = ['stdout', 'stderr']
const ENDS_WITHIN_MS = 60_000
const openNow = (): string[] => process.getActiveResourcesInfo().filter((name) => name !== 'Immediate')

const exitCodeNow = (): number => Number(process.exitCode ?? 0)

/** What is still open after connections have had time to close. */
async function leftOpen(before: number): Promise<string[]> {
  const until = Date.now() + ENDS_WITHIN_MS
  while (openNow().length > before && Date.now() < until) await new Promise((resolve) => setImmediate(resolve))
  return openNow().length > before ? openNow() : []
}

async function run({ args, env }: Command): Promise<Outcome> {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  const printed: Record<Stream, string> = { stdout: '', stderr: '' }
  const writes = STREAMS.map((name) => process[name].write.bind(process[name]))
  for (const name of STREAMS) {
    process[name].removeAllListeners('error')
    process[name].write = (text: string | Uint8Array) => {
      printed[name] += typeof text === 'string' ? text : Buffer.from(text).toString()
      return true
    }
  }
  const before = openNow().length
  process.exitCode = undefined
  try {
    await runProgram([process.execPath, 'malipo', ...args])
  } finally {
    STREAMS.forEach((name, index) => {
      const write = writes[index]
      if (write) process[name].write = write
    })
  }
  const code = exitCodeNow()
  process.exitCode = undefined
  return { code, out: printed.stdout, err: printed.stderr, leftOpen: await leftOpen(before) }
}

process.on('message', (command: Command) => {
  run(command).then(
    (outcome) => process.send?.(outcome),
    (error: unknown) => {
      throw error
    },
  )
})
process.on('disconnect', () => process.exit(0))
