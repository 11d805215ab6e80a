import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const START_MS_MAX = 60_000
const POLL_MS = 50

export interface Prism {
  readonly baseUrl: string
  /** Its output so far. */
  readonly output: () => string
  readonly stop: () => Promise<void>
}

/**
 * Starts Prism on a bundle and returns when it answers.
 *
 * @param options further options of Prism
 * @throws Error with its output, when it does not start
 */
export async function startPrism(bundle: URL, options: readonly string[] = []): Promise<Prism> {
  const prism = fileURLToPath(new URL('../../node_modules/@stoplight/prism-cli/dist/index.js', import.meta.url))
  // The current Node without a shell in between: the killed pid must be the listening process.
  const child = spawn(
    process.execPath,
    [prism, 'mock', fileURLToPath(bundle), '--port', '0', '--multiprocess', 'false', ...options],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()))
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  const stop = async () => {
    process.off('exit', kill)
    kill()
    await ended
  }

  for (const until = Date.now() + START_MS_MAX; Date.now() < until && child.exitCode === null;) {
    const baseUrl = /Prism is listening on (\S+)/.exec(output)?.[1]
    const answers =
      baseUrl &&
      (await fetch(baseUrl).then(
        () => true,
        () => false,
      ))
    if (answers) return { baseUrl, output: () => output, stop }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  await stop()
  throw new Error(`Prism did not start:\n${output}`)
}
