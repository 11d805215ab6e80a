import { messageOf, type InboxMessage } from './sandbox-inbox.ts'

/** The number of messages in the list of the inbox. */
const LIST_MAX = 100
/** More than arrive in a busy second; for a higher rate use a receiver of your own. */
const CAUGHT_UP_MAX = 400

/**
 * Which messages have been shown. Messages are inserted concurrently, so ids can appear out of order: it remembers
 * single ids, not only the highest.
 */
export class MessageTracker {
  readonly #ids: Set<number>
  #highest: number

  constructor(atStart: readonly InboxMessage[]) {
    this.#ids = new Set(atStart.map(({ id }) => id))
    this.#highest = atStart.at(-1)?.id ?? 0
  }

  /**
   * New messages, oldest first, each with its complete body; fetches those that a full list no longer contains one by
   * one.
   */
  async newMessages(gateway: URL, newest: readonly InboxMessage[]): Promise<InboxMessage[]> {
    const highest = newest.at(-1)?.id
    // Ids only grow, even when the inbox is emptied: lower ones come from a sandbox that was reset.
    if (highest !== undefined && highest < this.#highest) this.#forget()
    const oldestShown = newest[0]?.id ?? 0
    const messages: InboxMessage[] = []
    for (
      let id = Math.max(this.#highest + 1, oldestShown - CAUGHT_UP_MAX);
      newest.length >= LIST_MAX && id < oldestShown;
      id++
    ) {
      const missed = await messageOf(gateway, id)
      if (missed) messages.push(missed)
    }
    for (const message of newest.filter(({ id }) => !this.#ids.has(id))) {
      messages.push(message.bodyComplete ? message : ((await messageOf(gateway, message.id)) ?? message))
    }
    for (const { id } of messages) this.#ids.add(id)
    this.#highest = Math.max(this.#highest, highest ?? 0)
    return messages
  }

  #forget(): void {
    this.#ids.clear()
    this.#highest = 0
  }
}
