import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The replies that each connection still waits for. */
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

/** When all of these were sent, or their clients are gone. */
export const closed = (responses: readonly ServerResponse[]): Promise<unknown> =>
  Promise.all(responses.map((response) => new Promise((resolve) => response.once('close', resolve))))
