import type {
  DepositAccount,
  DepositAddress,
  DepositView,
  PayoutCurrency,
  ReceivingMethod,
  WithdrawalView,
} from '@fairlot/contract'
import { amount, decimal } from './samples.ts'

/** 2026-01-07, 12:00 UTC. */
const NOON = Date.UTC(2026, 0, 7, 12)
const ADDRESS = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'

export const depositAddress = (change: Partial<DepositAddress> = {}): DepositAddress => ({
  id: 1,
  currency: 'USDT',
  network: 'TRC20',
  address: ADDRESS,
  tag: '',
  leftToday: null,
  rate: 10_000_000_000n,
  isRateFixed: true,
  accountCurrency: 'USD',
  ...change,
})

export const depositAccount = (change: Partial<DepositAccount> = {}): DepositAccount => ({
  id: 1,
  bankName: 'A bank',
  bankAddress: '1 Bank Street',
  bic: 'DEUTDEFF',
  payeeName: 'A broker',
  payeeAccount: 'DE89370400440532013000',
  remark: 'your number',
  leftToday: null,
  rate: 10_000_000_000n,
  isRateFixed: true,
  accountCurrency: 'USD',
  ...change,
})

export const deposit = (change: Partial<DepositView> = {}): DepositView => ({
  id: 12,
  amount: 50_000_000_000n,
  kind: 'coin',
  currency: 'USDT',
  network: 'TRC20',
  status: 'unchecked',
  createdAt: NOON,
  remark: '',
  credited: null,
  endedAt: null,
  estimate: amount('500'),
  estimatedRate: 10_000_000_000n,
  arrived: null,
  arrivedAt: null,
  rate: null,
  accountCurrency: 'USD',
  ...change,
})

export const payoutCurrency = (change: Partial<PayoutCurrency> = {}): PayoutCurrency => ({
  id: 1,
  code: 'USDT',
  network: 'TRC20',
  feeRate: amount('12'),
  feeType: 'fixed',
  price: decimal('1'),
  minimum: amount('10'),
  maximum: amount('100000'),
  leftToday: null,
  ...change,
})

export const receivingMethod = (change: Partial<ReceivingMethod> = {}): ReceivingMethod => ({
  id: 5,
  kind: 'coin',
  currencyId: 1,
  address: ADDRESS,
  tag: '',
  bankName: '',
  bankAddress: '',
  bic: '',
  payeeName: '',
  payeeAccount: '',
  routeNumber: '',
  payeeAddress: '',
  postCode: '',
  iban: '',
  accountType: null,
  remark: '',
  currency: { id: 1, code: 'USDT', network: 'TRC20' },
  boundAt: NOON,
  usableAt: NOON,
  ...change,
})

export const withdrawal = (change: Partial<WithdrawalView> = {}): WithdrawalView => ({
  id: 41,
  amount: amount('400'),
  fee: amount('12'),
  received: decimal('388'),
  status: 'waiting',
  statusName: 'Waiting for approval',
  createdAt: NOON,
  kind: 'coin',
  address: ADDRESS,
  tag: '',
  payeeAccount: '',
  memo: '',
  currency: { code: 'USDT', network: 'TRC20' },
  price: decimal('1'),
  methodId: 5,
  remark: '',
  reference: '',
  holder: 'finance',
  steps: [{ kind: 'asked', at: NOON, role: 'you', reason: '' }],
  ...change,
})
