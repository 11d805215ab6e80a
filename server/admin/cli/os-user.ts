import { userInfo } from 'node:os'

/** The user who is logged in where the command runs. A container may have a user without a name. */
export function osUser(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.geteuid?.() ?? 'unknown'}`
  }
}
