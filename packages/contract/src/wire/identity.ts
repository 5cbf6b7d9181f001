import { noun } from '../codec.ts'
import { choice, listOf, maybeBlank, orNull, text, time } from '../field.ts'
import { line } from '../typed-field.ts'
import { reviewStatus } from './user.ts'

const NAME_LENGTH = 100
const NUMBER_LENGTH = 40
const PICTURE_LENGTH = 300

/** What is left out stays as it was sent before. */
export const identityForm = noun({
  name: ['name', maybeBlank(line(NAME_LENGTH))],
  number: ['card_id', maybeBlank(line(NUMBER_LENGTH))],
  /** Urls that `image_upload` answered to the same user. */
  front: ['front_pic', maybeBlank(line(PICTURE_LENGTH))],
  reverse: ['reverse_pic', maybeBlank(line(PICTURE_LENGTH))],
})

const fault = noun({
  field: ['field', choice({ name: 'name', number: 'card_id', front: 'front_pic', reverse: 'reverse_pic' })],
  reason: ['reason', text],
})

export const identityCheck = noun({
  status: ['review_status', reviewStatus],
  name: ['name', text],
  /** All that was wrong, in the caller's language; empty where nothing was. */
  reason: ['reason', text],
  /** With all but its end masked; empty before one was sent. */
  number: ['card_id', text],
  faults: ['faults', listOf(fault)],
  sentAt: ['sent_time', orNull(time)],
})
