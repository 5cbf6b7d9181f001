import type { ReceivingMethodForm } from '@fairlot/contract'
import { refuse, type Refusal } from '../http/refusal.ts'
import { isBankAccount, isBic } from './bank-account.ts'
import { isCoinAddress } from './coin-address.ts'
import type { MethodDetails } from './method-repository.ts'

/** An IBAN begins with its country and two check digits. */
const HAS_IBAN_SHAPE = /^[A-Z]{2}\d{2}/

const withoutSpaces = (text: string): string => text.replace(/\s/g, '')

/** What a form says, as it is kept: numbers and codes without spaces, of coins the address alone. */
export function detailsOf(form: ReceivingMethodForm): MethodDetails {
  const isCoin = form.kind === 'coin'
  const ofBank = (text: string) => (isCoin ? '' : text)
  return {
    address: isCoin ? withoutSpaces(form.address) : '',
    bankName: ofBank(form.bankName),
    bankAddress: ofBank(form.bankAddress),
    bic: ofBank(withoutSpaces(form.bic).toUpperCase()),
    payeeName: ofBank(form.payeeName),
    payeeAccount: ofBank(form.payeeAccount),
    routeNumber: ofBank(withoutSpaces(form.routeNumber)),
    payeeAddress: ofBank(form.payeeAddress),
    postCode: ofBank(form.postCode),
    iban: ofBank(withoutSpaces(form.iban).toUpperCase()),
    accountType: isCoin ? null : form.accountType,
  }
}

/** Why nothing can be paid out to this; null when it can, as far as its figures say. */
export function refusalOfDetails(
  kind: ReceivingMethodForm['kind'],
  network: string,
  details: MethodDetails,
): Refusal | null {
  if (kind === 'coin') {
    if (details.address === '') return refuse('methodFieldMissing')
    const isRight = isCoinAddress(network, details.address)
    return isRight ? null : refuse('coinAddressInvalid', { name: network })
  }
  const { bankName, payeeName, payeeAccount, iban, bic, accountType } = details
  const isWhole = bankName !== '' && payeeName !== '' && accountType !== null
  if (!isWhole || (payeeAccount === '' && iban === '')) return refuse('methodFieldMissing')
  if (iban !== '' && !(HAS_IBAN_SHAPE.test(iban) && isBankAccount(iban)))
    return refuse('ibanInvalid', { field: 'iban' })
  if (payeeAccount !== '' && !isBankAccount(payeeAccount))
    return refuse('bankAccountInvalid', { field: 'payee_account' })
  return bic === '' || isBic(bic) ? null : refuse('bicInvalid', { field: 'bank_swift' })
}

/** By which two rows of one address or account are known, whoever they belong to. */
export const accountKeyOf = (network: string, { address, iban, payeeAccount, bic }: MethodDetails): string =>
  address === '' ? `bank ${bic} ${iban || withoutSpaces(payeeAccount)}` : `coin ${network} ${address}`
