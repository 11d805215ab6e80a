import { maskText } from './domain/masking/mask-text.ts'

/**
 * The parts of an error that may be logged. PostgreSQL puts whole rows into `detail`: names, numbers and addresses of
 * customers. Everything that is not listed here is excluded.
 */
export function safeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: typeof error }
  const { code, constraint, table } = error as { code?: unknown; constraint?: unknown; table?: unknown }
  const message = safeMessage(error)
  return {
    type: error.name,
    message,
    code,
    constraint,
    table,
    stack: stackOf(error, message),
    ...(error.cause instanceof Error && { cause: safeMessage(error.cause) }),
  }
}

/**
 * The stack without the original message. The stack still contains the message as it was when the error was created,
 * so only the frames are kept.
 */
export function stackOf({ name, message: unsafe, stack }: Error, message: string): string | undefined {
  const places = stack
    ?.replace(unsafe, '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
  return places && [`${name}: ${message}`, ...places].join('\n')
}

/** The same in one line, for staff. */
export const safeReason = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${safeMessage(error)}` : typeof error

/** Messages of libraries quote their input: a body that is not JSON, a URL with its query. */
const MESSAGE_CHARACTERS_MAX = 4_096

/**
 * SQLSTATE class 22, data exceptions, quotes the value itself: `invalid input syntax for type bigint: "4242 4242 4242
 * 4242"`.
 */
export function safeMessage(error: Error): string {
  const { code } = error as { code?: unknown }
  const isDataException = typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code)
  return maskText(isDataException ? error.message.replace(/".*"/s, '"…"') : error.message, MESSAGE_CHARACTERS_MAX)
}
