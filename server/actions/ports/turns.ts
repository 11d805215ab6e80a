/** Where an action goes, and for whom: each host and each merchant has a bounded share of what may run at a time. */
export interface Destination {
  readonly host: string
  readonly merchantId: bigint
  /** What the work item is found by (domain/addressee.ts). */
  readonly addressee: string
}

/** There was no place in time: ask again after so long. */
export interface PutOff {
  readonly afterMs: number
}

/** Tells whether the host answered promptly. */
export type Outbound = () => Promise<boolean>

/**
 * Runs an action when its host and its merchant have a free place. It is prepared before that, and only when there is
 * hope of one.
 * @returns when to try again, if it was not run
 */
export type Turns = (to: Destination, prepare: () => Promise<Outbound>) => Promise<PutOff | undefined>
