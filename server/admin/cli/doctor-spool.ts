import type { Config } from '../../config.ts'
import { examineSpool } from '../../message-spool/examine.ts'
import { spoolFolder } from '../../message-spool/spool-files.ts'
import { databaseId } from '../../storage/database-id.ts'
import type { Finding } from '../queries/doctor.ts'
import type { Pool } from '../../storage/pool.ts'

/** A running server stores spooled messages within moments of the database's return. */
const WAITS_MS_MAX = 60_000

/**
 * Checks the spool of the machine that the command runs on. Reports nothing where no folder is set and nobody has
 * spooled, or the folder is another user's: this machine may run no server of ours.
 */
export async function examineMessageSpool(config: Config, pool: Pool, now: Date): Promise<Finding> {
  const folder = spoolFolder(config, await databaseId(pool))
  const { exists, fault, files, messages, bytes, oldestAt, damaged } = await examineSpool(folder)
  const waitedMs = oldestAt === undefined ? 0 : now.getTime() - oldestAt
  const size = `${messages} ${messages === 1 ? 'message' : 'messages'} in ${files} ${files === 1 ? 'file' : 'files'}, ${bytes} bytes`
  const faults = [
    ...(fault !== undefined && (exists || config.spoolDir !== undefined)
      ? [`${folder} cannot be read and written by this user: ${fault}`]
      : []),
    ...(waitedMs > WAITS_MS_MAX
      ? [`${size}, the oldest for ${Math.round(waitedMs / 1_000)} s: start a server on ${folder}`]
      : []),
    ...damaged.map(
      (name) => `${name} has damaged records: keep the file, and request what may be missing from the operator`,
    ),
  ]
  return {
    name: 'messages_leave_the_spool',
    rule: `messages of operators leave the spool of this machine within ${WAITS_MS_MAX / 1_000} s${files === 0 ? '' : ` (now: ${size})`}`,
    found: faults.length,
    examples: faults.slice(0, EXAMPLES_MAX),
  }
}

const EXAMPLES_MAX = 5
