/** The database's time, which all processes share. */
export interface Clock {
  now(): Date
}
