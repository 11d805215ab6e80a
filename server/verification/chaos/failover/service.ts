import type { ChildProcess } from 'node:child_process'

const START_AGAIN_AFTER_MS = 1_000

/** A program that runs until the drill ends it, and is restarted when it exits by itself, as systemd would. */
export interface Service {
  /** Does nothing when it is running. */
  start(): void
  /** kill -9, without a restart. */
  kill(): void
  /** Records that it was killed together with its whole machine: no restart. */
  forget(): void
}

/** @param launch starts it once */
export function service(launch: () => ChildProcess): Service {
  let child: ChildProcess | undefined
  function start(): void {
    if (child) return
    const launched = launch()
    child = launched
    launched.on('error', () => undefined)
    launched.on('close', () => {
      if (child !== launched) return
      setTimeout(() => {
        if (child !== launched) return
        child = undefined
        start()
      }, START_AGAIN_AFTER_MS)
    })
  }
  function forget(): ChildProcess | undefined {
    const last = child
    child = undefined
    return last
  }
  return { start, forget: () => void forget(), kill: () => void forget()?.kill('SIGKILL') }
}
