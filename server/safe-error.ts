/**
 * What of an error may be logged. PostgreSQL puts whole rows into `detail`: names, numbers and addresses of customers. Everything that is
 * not on this list stays out.
 */
export function safeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: typeof error }
  const { code, constraint, table } = error as { code?: unknown; constraint?: unknown; table?: unknown }
  return { type: error.name, message: error.message, code, constraint, table, stack: error.stack, ...(error.cause instanceof Error && { cause: error.cause.message }) }
}
