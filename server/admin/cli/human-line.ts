import { styleText } from 'node:util'
import { printable, printableLines } from './output.ts'

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
