import { escapedBytes, printing } from '../../harness/lines/bytes.ts'
import { SLOW } from './slow-clients.ts'
import type { WireCase } from './wire-case.ts'

/** Longer ones do not fit into a report. */
const LINE_MAX = 6_000
const WAIT_S = 5
/** Every server gives slow clients time; none may keep them for ever. */
const SLOW_WAIT_S = 35
/** With more pieces than this, the pauses between them would fill a page. */
const PIECES_MAX = 20

/**
 * A shell line that sends the bytes again, over a connection that bash opens (`/dev/tcp`), because curl would
 * normalize them. Undefined where bash cannot do it: through TLS, and for actions after the last byte.
 * @param secrets variables by their text
 */
export function shellLine(
  url: URL,
  { name, pieces, pauseMs, afterwards }: WireCase,
  secrets: Readonly<Record<string, string>>,
): string | undefined {
  if (url.protocol !== 'http:' || afterwards !== undefined || pieces.every(({ length }) => length === 0))
    return undefined
  const hidden = (escaped: string): string =>
    Object.entries(secrets).reduce(
      (text, [secret, variable]) => text.replaceAll(escapedBytes(Buffer.from(secret)), `'"$${variable}"'`),
      escaped,
    )
  const written = pieces.length > PIECES_MAX ? [Buffer.concat(pieces)] : pieces
  const pause = pieces.length > PIECES_MAX ? undefined : pauseMs
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const waitS = name.startsWith(SLOW) ? SLOW_WAIT_S : WAIT_S
  const line = `${printing(written, pause, hidden)} | bash -c '${talk(`/dev/tcp/${host}/${url.port || 80}`, waitS)}'`
  return line.length > LINE_MAX ? undefined : line
}

/** Sends stdin, prints the reply, and says so when the server does not close the connection. */
const talk = (address: string, waitS: number): string =>
  [
    `exec 3<>${address} || exit; cat >&3; cat <&3 & c=$!`,
    `(sleep ${waitS} >/dev/null 2>&1 3>&-; kill $c && echo "(still open after ${waitS} s)") 2>/dev/null & t=$!`,
    `{ wait $c && kill $t; wait; } 2>/dev/null`,
  ]
    .join('; ')
    .replaceAll('&;', '&')
