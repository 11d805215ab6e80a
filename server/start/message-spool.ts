import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { createMessageSpool, type MessageSpool, type SpoolEvents } from '../message-spool/message-spool.ts'
import { createReception, type MessageReception } from '../message-spool/reception.ts'
import { spoolFolder, spoolOwner } from '../message-spool/spool-files.ts'
import { databaseId } from '../storage/database-id.ts'
import { MESSAGE_SPOOL } from '../storage/sealed-places.ts'
import { createSecretBox, WrongMasterKey } from '../storage/secret-box.ts'
import type { Core } from './core.ts'
import type { Foundation } from './foundation.ts'

const MIB = 1024 * 1024
/** Of the connections of a process messages of operators take at most one in so many, twice: as they come, and replayed. */
const CONNECTIONS_SHARE = 4

export interface OpenSpool {
  readonly reception: MessageReception
  readonly look: MessageSpool['look']
  /** What waits on the disk of this machine. */
  spooled(): { readonly messages: number; readonly folder: string }
  /** Tries a last time, and says what is left: before all that a stalled database holds up. */
  stop(): Promise<void>
}

/**
 * The spool of this process, and what takes messages of operators by the database or by it. A worker appends nothing, and
 * stores what dead processes of its machine have left.
 */
export async function openMessageSpool(
  foundation: Foundation,
  { railCallbacks }: Pick<Core, 'railCallbacks'>,
): Promise<OpenSpool> {
  const { config, surroundings, pool, clock, metrics, readiness, logError } = foundation
  const atOnceMax = Math.max(Math.floor(config.databaseConnectionsMax / CONNECTIONS_SHARE), 1)
  const receive = railCallbacks.receive
  const spool = createMessageSpool({
    folder: spoolFolder(config, await databaseId(pool)),
    // Not of the chance that tests give: two gateways with one seed are two processes.
    owner: spoolOwner(hostname(), process.pid, randomUUID().replaceAll('-', '')),
    bytesMax: config.spoolMiB * MIB,
    now: () => clock.now().getTime(),
    ...sealing(foundation),
    receive,
    atOnceMax,
    appends: surroundings.role !== 'worker',
    events: eventsOf(foundation, () => reception.answers()),
  })
  const reception = createReception({
    receive,
    spool,
    atOnceMax,
    now: () => clock.now(),
    onError: (error) => logError(error, 'storing a message of an operator'),
  })
  metrics.watchMessageSpool(spool.figures)
  readiness.watch(() => {
    const { fault } = spool.figures()
    return fault === undefined ? undefined : `messages of operators cannot be spooled: ${fault}`
  })
  return {
    reception,
    look: spool.look,
    spooled: () => ({ messages: spool.figures().messages, folder: spool.folder }),
    async stop() {
      await spool.stop()
      reportLeft(foundation, spool)
    },
  }
}

/** What was spooled before the master key was changed opens with the one before. */
function sealing({ box, config, surroundings }: Foundation) {
  const { formerMasterKey } = config
  const former = formerMasterKey === undefined ? undefined : createSecretBox(formerMasterKey, surroundings.random)
  return {
    seal: (text: string) => box.seal(text, MESSAGE_SPOOL),
    open(sealed: Uint8Array): string {
      try {
        return box.open(sealed, MESSAGE_SPOOL)
      } catch (error) {
        if (!(error instanceof WrongMasterKey) || !former) throw error
        return former.open(sealed, MESSAGE_SPOOL)
      }
    },
  }
}

function eventsOf({ surroundings: { logger }, metrics }: Foundation, answers: () => void): SpoolEvents {
  return {
    replayed({ installation, orderId }, reception) {
      answers()
      metrics.operatorMessage(installation, reception)
      if (reception === 'unknown_order' || reception === 'too_many')
        logger.error({ installation, orderId, reception }, 'a message of an operator from the spool was not stored')
    },
    tookOver: (file) => logger.info({ file }, 'the spool of a process that has ended is taken over'),
    damaged: (file, corrupt, isTorn) =>
      corrupt > 0
        ? logger.error({ file, corrupt, isTorn }, 'the spool has damaged records: the file is kept')
        : logger.warn({ file }, 'the spool had a record that was not written to its end, and not acknowledged'),
    refused: (err, file, waiting) =>
      logger.error({ err, file, waiting }, 'messages in the spool cannot be stored: they are kept and tried again'),
    faultChanged: (fault) =>
      fault === undefined
        ? logger.info('messages of operators can be spooled again')
        : logger.warn({ fault }, 'messages of operators cannot be spooled: they get 503 while PostgreSQL is away'),
  }
}

/** What waits when the process ends is on its disk alone. */
function reportLeft({ surroundings: { logger } }: Foundation, { folder, figures }: MessageSpool): void {
  const { messages, bytes } = figures()
  if (messages > 0)
    logger.warn({ messages, bytes, folder }, 'messages of operators wait in the spool: start a process on this folder')
}
