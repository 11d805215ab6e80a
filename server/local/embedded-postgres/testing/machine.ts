import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRoot } from '../processes.ts'

// What the tests may do on this machine.

export const NOBODY = 65_534

export const canMount = (() => {
  if (!isRoot()) return false
  const folder = mkdtempSync(join(tmpdir(), 'malipo-test-mount-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'malipo-test', folder], { stdio: 'ignore' })
    execFileSync('umount', [folder])
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})()

export const nobodyCanRun =
  isRoot() &&
  (() => {
    try {
      execFileSync(process.execPath, ['-e', `require('fs').accessSync(${JSON.stringify(import.meta.filename)})`], {
        uid: NOBODY,
        gid: NOBODY,
        stdio: 'ignore',
        cwd: '/',
      })
      return true
    } catch {
      return false
    }
  })()

export const WITHOUT_SETUID = ['setpriv', '--bounding-set=-setuid,-setgid', '--inh-caps=-setuid,-setgid'] as const
export const canDropCapabilities = (() => {
  try {
    const [program, ...args] = WITHOUT_SETUID
    execFileSync(program, [...args, 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

if (!canMount) console.warn('skipping the tests of full and read-only disks: this user may not mount a tmpfs')
