import { CallError, UPLOAD } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { ImageField } from '@fairlot/ui/image-field.tsx'
import { useLocale } from '../i18n/locale-provider.tsx'
import { failureText } from '../live/requests/failure-text.ts'
import { sendPicture } from '../live/requests/upload.ts'

const MEGABYTE = 1024 * 1024

type PictureFieldProps = {
  label: string
  hint?: string
  problem?: string | undefined
  /** What is said once it has been sent. */
  sentText?: string
  /** The url by which a form names the picture; null once it is taken away. */
  onChange: (picture: string | null) => void
  onSending?: (isSending: boolean) => void
}

/** A picture for an operator to look at, sent away as soon as it is chosen. */
export function PictureField({ label, hint, problem, sentText, onChange, onSending }: PictureFieldProps) {
  const t = useTranslations()
  const { figures } = useLocale()
  const most = figures.count(UPLOAD.bytesMax / MEGABYTE)
  return (
    <ImageField
      label={label}
      hint={hint}
      problem={problem}
      words={{
        choose: t('picture.choose'),
        takePhoto: t('picture.photo'),
        remove: t('picture.remove'),
        sending: t('picture.sending'),
        percent: (part) => `${figures.count(Math.round(part * 100))}%`,
        sent: sentText ?? t('picture.sent'),
        tooLarge: t('picture.tooLarge', { most }),
      }}
      types={UPLOAD.types}
      bytesMax={UPLOAD.bytesMax}
      send={sendPicture}
      onChange={onChange}
      onSending={onSending}
      problemOf={(error) =>
        error instanceof CallError
          ? failureText(error.failure, (key, values) => t(`app.${key}`, values))
          : t('picture.failed')
      }
    />
  )
}
