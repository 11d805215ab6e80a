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
/**
 * Operator messages take at most one in this many of a process's connections, twice: once on arrival, once in the
 * replay.
 */
const CONNECTIONS_SHARE = 4

export interface OpenSpool {
  readonly reception: MessageReception
  readonly poll: MessageSpool['poll']
  /** The messages that wait on the disk of this machine. */
  spooled(): { readonly messages: number; readonly folder: string }
  /** Tries a last time, and logs what is left. It runs before the steps that a stalled database delays. */
  stop(): Promise<void>
}

/**
 * The spool of this process, and the reception that stores operator messages in the database or the spool. A worker
 * appends nothing; it stores what dead processes of its machine have left.
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
    // Not from the injected random source: two test gateways with one seed are two processes.
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
    poll: spool.poll,
    spooled: () => ({ messages: spool.figures().messages, folder: spool.folder }),
    async stop() {
      await spool.stop()
      reportLeft(foundation, spool)
    },
  }
}

/** Messages spooled before a change of the master key open with the former one. */
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
    replayed({ railAccount, orderId }, reception) {
      answers()
      metrics.operatorMessage(railAccount, reception)
      if (reception === 'unknown_order' || reception === 'too_many')
        logger.error({ railAccount, orderId, reception }, 'a message of an operator from the spool was not stored')
    },
    tookOver: (file) => logger.info({ file }, 'the spool of a process that has ended is taken over'),
    damaged: (file, corrupt, isTorn) =>
      corrupt > 0
        ? logger.error({ file, corrupt, isTorn }, 'the spool has damaged records: the file is kept')
        : logger.warn({ file }, 'the spool had a record that was not written to its end, and not acknowledged'),
    refused: (err, file, waiting) =>
      logger.error({ err, file, waiting }, 'messages in the spool cannot be stored: they are kept and retried'),
    faultChanged: (fault) =>
      fault === undefined
        ? logger.info('messages of operators can be spooled again')
        : logger.warn({ fault }, 'messages of operators cannot be spooled: they get 503 while PostgreSQL is away'),
  }
}

/** Messages that wait when the process ends exist only on its disk. */
function reportLeft({ surroundings: { logger } }: Foundation, { folder, figures }: MessageSpool): void {
  const { messages, bytes } = figures()
  if (messages > 0)
    logger.warn({ messages, bytes, folder }, 'messages of operators wait in the spool: start a process on this folder')
}
