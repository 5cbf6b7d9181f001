import { noun } from '../codec.ts'
import { orNull, time } from '../field.ts'

/** Up to which moment, epoch ms; null where there is nothing yet. */
export const newsMoment = noun({ at: ['at', orNull(time)] })

export const newsSeen = noun({ at: ['at', time] })
