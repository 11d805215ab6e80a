import { pino, type Logger } from 'pino'
import { safeError } from '../safe-error.ts'
import { humanLine } from './human-line.ts'
import { printableJson } from './output.ts'

/**
 * The log goes to standard error: standard output carries what was asked for (the banner, or its JSON).
 * JSON lines, except for a person who tries the sandbox in a terminal: one short line per request.
 */
export function createLogger(level: string, { human }: { human: boolean }): Logger {
  if (human)
    return pino({ level, serializers }, { write: (line: string) => void process.stderr.write(humanLine(line)) })
  // Lines are collected for a moment: writing each by itself took a tenth of the CPU time of a lookup. At the end
  // nothing is left behind.
  const destination = pino.destination({
    dest: 2,
    sync: false,
    minLength: LOG_CHUNK_BYTES,
    periodicFlush: LOG_FLUSH_MS,
  })
  process.on('exit', () => destination.flushSync())
  return pino({ level, serializers, hooks: LOG_HOOKS }, destination)
}

/** Texts from outside stand in the log: a terminal that shows it obeys none of them. */
export const LOG_HOOKS = { streamWrite: printableJson }

const serializers = { err: safeError }

const LOG_CHUNK_BYTES = 4096
const LOG_FLUSH_MS = 200
