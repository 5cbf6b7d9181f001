import { ExternalLink, Landmark } from 'lucide-react'
import { useTranslations } from 'use-intl'
import {
  type DepositAccount,
  type DepositAddress,
  coinLabel,
  coinTagLabels,
  lineOf,
  wireAccountLabels,
  type DepositView,
} from '@fairlot/contract'
import { buttonClass } from '@fairlot/ui/controls/button.tsx'
import { CopyButton } from '@fairlot/ui/controls/copy-button.tsx'
import { Segmented } from '@fairlot/ui/controls/segmented.tsx'
import { ShareButton } from '@fairlot/ui/controls/share-button.tsx'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { FactList } from '@fairlot/ui/figures/fact-list.tsx'
import { SelectField } from '@fairlot/ui/forms/select-field.tsx'
import { Icon } from '@fairlot/ui/graphics/icon.tsx'
import { QrCode } from '@fairlot/ui/graphics/qr-code.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { useSearchParams, Link } from '@fairlot/ui/navigation/router.tsx'
import { asName, asNames, Name, withNames } from '@fairlot/ui/figures/names.tsx'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useTranslator } from '../../../i18n/use-translator.ts'
import { useKeptState } from '../../../live/session/kept-input.ts'
import { Loaded } from '../../../ui/loaded.tsx'
import { MoreButton } from '../../../ui/more-button.tsx'
import { sentText } from '../sent-amounts.ts'
import {
  submitCoinDeposit,
  submitWireDeposit,
  useDepositAccounts,
  useDepositAddresses,
  useDepositCurrencies,
  useDepositInfo,
  type PaymentKind,
  useDeposit,
  useDeposits,
} from '../payment-queries.ts'
import { PaymentScreen } from '../payment-screen.tsx'
import { DepositFacts } from './deposit-facts.tsx'
import { DepositForm, useDepositForm } from './deposit-form.tsx'

const TABS = ['card', 'bank', 'coin'] as const
type Tab = (typeof TABS)[number]

/** The ways to deposit, and earlier deposits. */
export function DepositScreen() {
  const t = useTranslations('payments')
  const [tab, setTab] = useKeptState<Tab>('deposit tab', 'coin')
  const [search] = useSearchParams()
  const isSingleOperator = useDepositInfo()?.isSingleOperator === true
  const id = Number(search.get('id'))
  if (Number.isSafeInteger(id) && id > 0)
    return (
      <PaymentScreen>
        <DepositRecord id={id} />
      </PaymentScreen>
    )
  return (
    <PaymentScreen>
      {isSingleOperator && (
        <Card>
          <EmptyState icon={Landmark} title={t('oneOperator')} text={t('oneOperatorText')} />
        </Card>
      )}
      <Segmented
        label={t('depositMethods')}
        track="surface"
        options={TABS.map((value) => ({ value, label: t(`kind.${value}`) }))}
        value={tab}
        onChange={setTab}
      />
      {!isSingleOperator && tab === 'card' && <CardDeposit />}
      {!isSingleOperator && tab === 'bank' && <WireDepositTab />}
      {!isSingleOperator && tab === 'coin' && <CoinDepositTab />}
      {tab !== 'card' && <DepositList kind={tab} />}
    </PaymentScreen>
  )
}

/** Coins: the address, then the form. */
export function CoinDepositTab() {
  const [id, setId] = useKeptState<string | null>('deposit channel', null)
  return (
    <Loaded query={useDepositAddresses()}>
      {(channels) => {
        const channel = channels.find((each) => String(each.id) === id) ?? channels[0]
        return channel ? (
          <CoinChannel key={channel.id} channel={channel} channels={channels} onChoose={setId} />
        ) : (
          <NoChannel />
        )
      }}
    </Loaded>
  )
}

type CoinChannelProps = {
  channel: DepositAddress
  channels: readonly DepositAddress[]
  onChoose: (id: string) => void
}

function CoinChannel({ channel, channels, onChoose }: CoinChannelProps) {
  const t = useTranslations('payments')
  const translate = useTranslator()
  const { id: channelId, address, tag, currency, network } = channel
  const form = useDepositForm(`coin ${channelId}`, (transfer) =>
    submitCoinDeposit({ ...transfer, address, channelId }),
  )
  return (
    <>
      <Card>
        <div className="flex flex-col gap-4">
          <SelectField
            label={t('network')}
            value={String(channelId)}
            options={channels.map((each) => ({
              value: String(each.id),
              label: asName(`${each.currency} · ${each.network}`),
            }))}
            onChange={onChoose}
          />
          <QrCode text={address} label={t('qr', { currency, network })} />
          <p className="text-center text-note font-bold break-all" dir="ltr" translate="no">
            {address}
          </p>
          {coinTagLabels(translate, channel).map(({ label, value }) => (
            <p key={label} className="text-center text-note break-all">
              {label}{' '}
              <bdi dir="ltr" translate="no" className="font-bold">
                {value}
              </bdi>
            </p>
          ))}
          <p className="text-center text-note text-second">
            {withNames(coinLabel(translate, { currency: asName(currency), network: asName(network), tag }))}
          </p>
          <div className="flex flex-wrap gap-2 *:grow">
            <CopyButton
              text={address}
              label={t('copy')}
              doneLabel={t('copied')}
              failedText={t('copyFailed')}
            />
            {tag !== '' && (
              <CopyButton
                text={tag}
                label={t('copyTag')}
                doneLabel={t('copied')}
                failedText={t('copyFailed')}
              />
            )}
            <ShareButton
              title={t('qr', { currency, network })}
              text={[
                address,
                ...coinTagLabels(translate, channel).map((line) => lineOf(translate, line)),
              ].join('\n')}
              label={t('share')}
              failedText={t('shareFailed')}
            />
          </div>
        </div>
      </Card>
      <DepositForm {...form} currency={currency} channel={channel} />
    </>
  )
}

/** Bank wire: the currency, the account, then the form. */
export function WireDepositTab() {
  const t = useTranslations('payments')
  const [chosen, setChosen] = useKeptState<string | null>('deposit currency', null)
  const currencies = useDepositCurrencies()
  const currency = chosen ?? currencies.data?.[0]?.currency
  const accounts = useDepositAccounts(currency)
  return (
    <Loaded query={currencies}>
      {(all) =>
        currency === undefined ? (
          <NoChannel />
        ) : (
          <>
            <Card>
              <SelectField
                label={t('currency')}
                value={currency}
                options={all.map((each) => ({ value: each.currency, label: asName(each.currency) }))}
                onChange={setChosen}
              />
            </Card>
            <Loaded query={accounts}>
              {(found) => <WireAccounts key={currency} accounts={found} currency={currency} />}
            </Loaded>
          </>
        )
      }
    </Loaded>
  )
}

function WireAccounts({ accounts, currency }: { accounts: readonly DepositAccount[]; currency: string }) {
  const t = useTranslations('payments')
  const [id, setId] = useKeptState<string | null>(`deposit account ${currency}`, null)
  const account = accounts.find((each) => String(each.id) === id) ?? accounts[0]
  if (!account) return <NoChannel />
  return (
    <>
      {accounts.length > 1 && (
        <Card>
          <SelectField
            label={t('channel')}
            value={String(account.id)}
            options={accounts.map((each) => ({ value: String(each.id), label: asName(each.bankName) }))}
            onChange={setId}
          />
        </Card>
      )}
      <WireAccount key={account.id} account={account} currency={currency} />
    </>
  )
}

function WireAccount({ account, currency }: { account: DepositAccount; currency: string }) {
  const t = useTranslations('payments')
  const form = useDepositForm(`bank ${account.id}`, (transfer) =>
    submitWireDeposit({ ...transfer, wireId: account.id }),
  )
  const translate = useTranslator()
  const facts = wireAccountLabels(translate, account)
  return (
    <>
      <Card>
        <div className="flex flex-col gap-4">
          <FactList
            facts={facts.map(({ label, value }) => ({
              label,
              // The remark is a sentence to the payer.
              value: value === account.remark ? withNames(asNames(value)) : asName(value),
            }))}
          />
          <div className="flex flex-wrap gap-2 *:grow">
            <CopyButton
              text={account.payeeAccount}
              label={t('copyAccount')}
              doneLabel={t('copied')}
              failedText={t('copyFailed')}
            />
            <ShareButton
              title={account.bankName}
              text={facts.map((line) => lineOf(translate, line)).join('\n')}
              label={t('share')}
              failedText={t('shareFailed')}
            />
          </div>
        </div>
      </Card>
      <DepositForm {...form} currency={currency} channel={account} />
    </>
  )
}

/** Cards are paid on the provider's own page: no card number is ever entered here. */
export function CardDeposit() {
  const t = useTranslations('payments')
  const link = useDepositInfo()?.cardLink ?? ''
  if (link === '') return <NoChannel />
  return (
    <Card>
      <div className="flex flex-col gap-3">
        <p className="text-body text-second">{t('cardText')}</p>
        <a
          href={link}
          target="_blank"
          rel="noopener noreferrer"
          className={buttonClass('ink', undefined, true)}
        >
          <Icon of={ExternalLink} />
          {t('cardOpen')}
        </a>
      </div>
    </Card>
  )
}

/** Shown in place of the form while this way to deposit, or every one, is not set up. */
export function NoChannel() {
  const t = useTranslations('payments')
  const isNone = useHasDepositMethod() === false
  return (
    <Card>
      <EmptyState
        icon={Landmark}
        title={t(isNone ? 'noDepositMethod' : 'noChannel')}
        text={t(isNone ? 'noDepositMethodText' : 'noChannelText')}
      />
    </Card>
  )
}

/** Whether any way to deposit is set up; null until that is known. */
function useHasDepositMethod(): boolean | null {
  const info = useDepositInfo()
  const channels = useDepositAddresses().data
  const currencies = useDepositCurrencies().data
  if (!info || !channels || !currencies) return null
  return info.cardLink !== '' || channels.length > 0 || currencies.length > 0
}

/** Earlier deposits of one way, with their status. */
function DepositList({ kind }: { kind: PaymentKind }) {
  const t = useTranslations('payments')
  const query = useDeposits(kind)
  return (
    <>
      <h2 className="mt-2 text-note text-second">{t('deposits')}</h2>
      <Loaded query={{ ...query, data: query.deposits }}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="text-note text-second">{t('noDeposit')}</p>
          ) : (
            <ul className="divide-y divide-line">
              {rows.map((deposit) => (
                <DepositRow key={deposit.id} deposit={deposit} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <MoreButton pages={query} />
    </>
  )
}

const TONES = { unchecked: 'text-second', finished: 'text-up', rejected: 'text-down', invalid: 'text-down' }

/** One deposit: its number, the amount sent, and the credit or the reason for none. */
function DepositRow({ deposit }: { deposit: DepositView }) {
  const t = useTranslations('payments')
  const { figures, moments } = useLocale()
  const { id, amount, currency, accountCurrency, status, remark, credited, createdAt } = deposit
  return (
    <li className="flex min-h-16 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5">
      <span className="min-w-0 flex-[1_1_8rem]">
        <span className="block">{withNames(t('depositNumber', { number: asName(id) }))}</span>
        <Name className="block text-note text-second">{moments.dateTime(createdAt)}</Name>
        {remark !== '' && status !== 'finished' && (
          <span className="block text-note break-words text-second">{t('reason', { reason: remark })}</span>
        )}
      </span>
      <span className="ms-auto flex flex-col items-end">
        <bdi dir="ltr" translate="no" className="font-bold">
          {figures.paidOut(sentText(amount))} {currency}
        </bdi>
        <span className={`text-note ${TONES[status]}`}>
          {credited === null
            ? t(`depositStatus.${status}`)
            : withNames(
                t('credited', { amount: asName(`${figures.money(credited)} ${accountCurrency}`.trim()) }),
              )}
        </span>
      </span>
    </li>
  )
}

/** One deposit request and its next step. */
function DepositRecord({ id }: { id: number }) {
  const t = useTranslations('payments')
  return (
    <>
      <Card>
        <DepositFacts id={id} />
        <Loaded query={useDeposit(id)}>
          {({ status }) => (
            <p role="status" className="rounded-card bg-brass-tint px-3.5 py-3 text-note">
              {t(`depositNext.${status}`)}
            </p>
          )}
        </Loaded>
      </Card>
      <Link to="/mine/charge" className={buttonClass('outline', undefined, true)}>
        {t('backToDeposits')}
      </Link>
    </>
  )
}
