import { pino, type Logger } from 'pino'
import { safeError } from '../../safe-error.ts'
import { humanLine } from './human-line.ts'
import { printableJson } from './output.ts'

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
