import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Painter } from './paint.ts'

/** The environment of the commands; tests have their own. */
export interface Terminal {
  /** One line to standard output. */
  readonly print: (line: string) => void
  /** One line to standard error. */
  readonly complain: (line: string) => void
  readonly paint: Painter
  readonly now: () => Date
  readonly randomBytes: (size: number) => Uint8Array
  /** The folder that relative paths start from. */
  readonly folder: string
  /** How many columns a line has; absent without a terminal: files and CI logs. */
  readonly columns: number | undefined
  /** The version of the Node with which npm starts programs here, like `process.version`. */
  readonly nodeVersion: string
  /** The default address of the sandbox: `MALIPO_URL` of the environment, or of the folder's .env.development. */
  readonly gatewayUrl: string | undefined
  /** The address of the shop of this folder: `PORT` of the environment, or of the folder's .env.development. */
  readonly shopUrl: string
  /** Ends commands that would otherwise run for ever. */
  readonly ended: AbortSignal
}

/** The terminal of this process; Ctrl-C ends the running command. */
export function processTerminal(): Terminal {
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
  return {
    print: (line) => void process.stdout.write(`${line}\n`),
    complain: (line) => void process.stderr.write(`${line}\n`),
    // https://no-color.org
    paint: new Painter(process.stdout.isTTY && !process.env.NO_COLOR),
    now: () => new Date(),
    randomBytes: (size) => randomBytes(size),
    folder: process.cwd(),
    columns: process.stdout.isTTY ? process.stdout.columns : undefined,
    nodeVersion: nodeVersionOf(process.env),
    gatewayUrl: setting('MALIPO_URL'),
    shopUrl: `http://127.0.0.1:${setting('PORT') ?? '3000'}`,
    ended: ending.signal,
  }
}

/**
 * A clone of Malipo includes its own Node, which runs `npx --no -- malipo-dev`; shops elsewhere run on the machine's.
 * npm, pnpm and yarn report theirs: `npm/11.19.1 node/v20.20.2 linux x64`.
 */
export const nodeVersionOf = ({ npm_config_user_agent: agent = '' }: NodeJS.ProcessEnv): string =>
  / node\/(v\d+\.\d+\.\d+)/.exec(agent)?.[1] ?? process.version

/** Of the environment, else of the shop's file in this folder. */
const setting = (name: string): string | undefined =>
  process.env[name] ?? settingIn(join(process.cwd(), '.env.development'), name)

/** A line `NAME=value` of a file that a shop may have. */
function settingIn(file: string, name: string): string | undefined {
  try {
    return new RegExp(`^${name}=(\\S+)$`, 'm').exec(readFileSync(file, 'utf8'))?.[1]
  } catch {
    return undefined // there is no such file
  }
}
