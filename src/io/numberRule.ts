import type { Complaint } from './issue.ts';

/** What a number may be. API limits; a slider's range is narrower (sliders.ts). */
export interface NumberRule {
  readonly unit: 's' | 'ms' | '';
  readonly whole: boolean;
  readonly min: number;
  readonly max: number;
  /** Null: no value. */
  readonly default: number | null;
  readonly defaultFrom: 'kubernetesDefault' | 'productDefault';
  /** 0 stands for "not set" and becomes the default (Kubernetes' SetDefaults_Probe). */
  readonly zeroIsUnset: boolean;
  /** Refuses what the limits do not say. */
  readonly only: Complaint | null;
}

/** The API keeps a number of seconds, such as a period, in 32 bits. */
export const INT32_MAX = 2_147_483_647;
/** A rule of a field of Kubernetes. */
export const kubernetesRule = (over: Partial<NumberRule>): NumberRule => ({
  unit: 's',
  whole: true,
  min: 0,
  max: INT32_MAX,
  default: 0,
  defaultFrom: 'kubernetesDefault',
  zeroIsUnset: false,
  only: null,
  ...over,
});
/** A rule of a field of this product. */
export const productRule = (over: Partial<NumberRule>): NumberRule =>
  kubernetesRule({ whole: false, defaultFrom: 'productDefault', ...over });
