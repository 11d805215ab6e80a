// `npm run failover`: machines of the database fail, and acknowledged payments are counted on both sides.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { asArguments, readOptions, type FailoverOptions } from './options.ts'
import { OWN_NAMESPACES, whyNot } from './requirements.ts'

/** The exit code that test runners read as "skipped". */
const NOT_RUN = 77
const STOPPED = 130
const INSIDE = fileURLToPath(new URL('inside.ts', import.meta.url))
/** Process 1 of the namespaces: a shell reaps orphans, and this one has something to do afterwards. */
const FIRST_PROCESS = '"$@"; exit $?'

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2))
  if (typeof options === 'string') {
    console.log(options)
    return 0
  }
  const reason = await whyNot((line) => console.log(line))
  if (reason !== undefined) {
    console.error(`failover drill not run: ${reason}`)
    return NOT_RUN
  }
  console.log(`failover drill; again with: npm run failover -- ${asArguments(options).join(' ')}`)
  const folder = await mkdtemp(join(tmpdir(), 'malipo-failover-'))
  try {
    return await runInside(folder, options)
  } finally {
    if (options.keep) console.log(`files and logs of the machines: ${folder}`)
    else await rm(folder, { recursive: true, force: true })
  }
}

function runInside(folder: string, options: FailoverOptions): Promise<number> {
  const drill = [process.execPath, INSIDE, folder, ...asArguments(options)]
  const child = spawn('unshare', [...OWN_NAMESPACES, 'sh', '-c', FIRST_PROCESS, 'sh', ...drill], { stdio: 'inherit' })
  // When unshare ends, so do its namespaces and everything in them.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => child.kill('SIGKILL'))
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? STOPPED)))
}

process.exit(
  await main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error))
    return 2
  }),
)
