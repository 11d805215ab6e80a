import { didYouMean } from './did-you-mean.ts'
import { ALIASES, BATCH_EVENTS } from './events.ts'
import type { InboxMessage } from './sandbox-inbox.ts'
import { UsageError } from './usage.ts'

/** As bodies name them; a handshake has no event. */
const NAMES = [...Object.keys(ALIASES), 'refund.completed', 'refund.failed', ...BATCH_EVENTS, 'handshake']

/**
 * Reads `transaction.failed,refund.*`: which messages are wanted; absent: all.
 * @throws UsageError for a name that nothing has
 */
export function readEvents(text: string | undefined): (message: Pick<InboxMessage, 'kind' | 'event'>) => boolean {
  if (text === undefined) return () => true
  const wanted = new Set(text.split(',').flatMap((part) => namesFor(part.trim())))
  return ({ kind, event }) => wanted.has(event ?? kind) || (kind === 'handshake' && wanted.has(kind))
}

function namesFor(part: string): readonly string[] {
  const found = part.endsWith('*')
    ? NAMES.filter((name) => name.startsWith(part.slice(0, -1)))
    : NAMES.filter((name) => name === part)
  if (found.length > 0) return found
  throw new UsageError(
    `--events: there is no event "${part}"; choose from ${NAMES.join(', ')}.${didYouMean(part, NAMES)}`,
  )
}

/** Those of the message, which its signatures and its connection need. */
const OF_THE_MESSAGE =
  /^(content-(type|length)|host|connection|transfer-encoding|webhook-.+|hmac-signature|rsa-signature|rsa-key-id)$/

/** @throws UsageError for what is no header, or one of the message itself */
export function readHeaders(lines: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+):([\t\u0020-\u007e\u0080-\u00ff]*)$/.exec(line) ?? []
      if (name === '') throw new UsageError(`--header takes 'Name: value'; "${line}" does not have that form`)
      if (OF_THE_MESSAGE.test(name.toLowerCase()))
        throw new UsageError(`--header: ${name} belongs to the message itself`)
      return [name.toLowerCase(), value.trim()]
    }),
  )
}
