import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The replies that are still pending on each connection. */
export class PendingReplies {
  readonly #bySocket = new WeakMap<Socket, Set<ServerResponse>>()

  add({ socket }: IncomingMessage, response: ServerResponse): void {
    const responses = this.#bySocket.get(socket) ?? new Set()
    this.#bySocket.set(socket, responses.add(response))
    response.once('close', () => responses.delete(response))
  }

  /** In the order of their requests. */
  on(socket: Socket): readonly ServerResponse[] {
    return [...(this.#bySocket.get(socket) ?? [])]
  }
}

/** Resolves when all of these are sent or their clients are gone. */
export const closed = (responses: readonly ServerResponse[]): Promise<unknown> =>
  Promise.all(responses.map((response) => new Promise((resolve) => response.once('close', resolve))))
