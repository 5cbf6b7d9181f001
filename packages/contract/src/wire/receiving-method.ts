import { noun } from '../codec.ts'
import { choice, id, maybeBlank, text, time, withDefault } from '../field.ts'
import { line } from '../typed-field.ts'
import { payoutKind } from './withdrawal.ts'

const ADDRESS_LENGTH = 200
const NAME_LENGTH = 140
const CODE_LENGTH = 40

const blank = (most: number) => withDefault(line(most), '')
const accountType = choice({ savings: 'savings', checking: 'checking' })

const DETAILS = {
  address: ['dc_address', blank(ADDRESS_LENGTH)],
  bankName: ['bank_name', blank(NAME_LENGTH)],
  bankAddress: ['bank_address', blank(ADDRESS_LENGTH)],
  bic: ['bank_swift', blank(CODE_LENGTH)],
  payeeName: ['payee_name', blank(NAME_LENGTH)],
  payeeAccount: ['payee_account', blank(CODE_LENGTH)],
  routeNumber: ['route_number', blank(CODE_LENGTH)],
  payeeAddress: ['payee_address', blank(ADDRESS_LENGTH)],
  postCode: ['post_code', blank(CODE_LENGTH)],
  iban: ['iban', blank(CODE_LENGTH)],
  accountType: ['account_type', maybeBlank(accountType)],
} as const

/** A coin address or a bank account that somebody wants to be paid at. */
export const methodForm = noun({
  currencyId: ['draw_id', id],
  kind: ['type', payoutKind],
  ...DETAILS,
  /** As it is: spaces are part of it. */
  password: ['password', maybeBlank(text)],
  authCode: ['auth_code', maybeBlank(line(CODE_LENGTH))],
})

export const methodQuery = noun({
  kind: ['draw_type', payoutKind],
  currencyId: ['draw_id', maybeBlank(id)],
})

export const methodId = noun({ id: ['id', id] })

export const receivingMethod = noun({
  id: ['id', id],
  kind: ['type', payoutKind],
  currencyId: ['draw_id', id],
  ...DETAILS,
  currency: ['draw_currency', noun({ id: ['id', id], code: ['code', text], network: ['protocol', text] })],
  boundAt: ['created_time', time],
  /** Nothing is paid out to it before. */
  usableAt: ['usable_time', time],
})
