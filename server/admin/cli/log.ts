import { pino, type Logger } from 'pino'
import { safeError } from '../../safe-error.ts'
import { printableJson, printable, printableLines } from './output.ts'
import { styleText } from 'node:util'

/**
 * The log goes to standard error: standard output carries the result (the banner, or its JSON). JSON lines, except for
 * a person who tries the sandbox in a terminal: one short line per request.
 */
export function createLogger(level: string, { human }: { human: boolean }): Logger {
  if (human)
    return pino({ level, serializers }, { write: (line: string) => void process.stderr.write(humanLine(line)) })
  // Lines are buffered for a moment: writing each one separately took a tenth of the CPU time of a lookup. The buffer
  // is flushed at exit.
  const destination = pino.destination({
    dest: 2,
    sync: false,
    minLength: LOG_CHUNK_BYTES,
    periodicFlush: LOG_FLUSH_MS,
  })
  process.on('exit', () => destination.flushSync())
  return pino({ level, serializers, hooks: LOG_HOOKS }, destination)
}

/** The log contains texts from outside: a terminal that shows it must not execute their control characters. */
export const LOG_HOOKS = { streamWrite: printableJson }

const serializers = { err: safeError }

const LOG_CHUNK_BYTES = 4096
const LOG_FLUSH_MS = 200

/** What http/request-log.ts logs about a request. */
interface RequestLine {
  readonly method?: string
  readonly route?: string
  readonly status?: number
  readonly ms?: number
}

interface LogLine extends RequestLine {
  readonly level: number
  readonly time: number
  readonly msg?: string
  readonly err?: { readonly message?: string; readonly stack?: string }
  readonly [name: string]: unknown
}

const LEVEL_NAMES: Readonly<Record<number, string>> = { 10: 'trace', 20: 'debug', 40: 'WARN', 50: 'ERROR', 60: 'FATAL' }
const REQUEST_ID = 'reqId'

/** Turns a JSON log line into one short line for a person at a terminal. */
export function humanLine(json: string): string {
  const {
    level,
    time,
    msg = '',
    err,
    pid: _pid,
    hostname: _hostname,
    [REQUEST_ID]: _id,
    ...rest
  } = JSON.parse(json) as LogLine
  const clock = styleText('dim', new Date(time).toTimeString().slice(0, 8))
  const reported =
    msg === 'request'
      ? requestText(rest)
      : [LEVEL_NAMES[level], msg, ...Object.entries(rest).map(([name, value]) => `${name}=${JSON.stringify(value)}`)]
          .filter((part) => part !== undefined && part !== '')
          .join(' ')
  const cause = err
    ? `: ${err.message ?? ''}${level >= 50 && err.stack ? `\n${err.stack.split('\n').slice(1).join('\n')}` : ''}`
    : ''
  return `${clock}  ${printable(reported)}${printableLines(cause)}\n`
}

const requestText = ({ method, route, status, ms }: RequestLine): string =>
  `${method} ${route ?? '(no such path)'} → ${status} in ${ms} ms`
