import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import * as z from 'zod/mini';
import { functionNames } from '../../../infra/deploy/bundle.ts';
import {
  type BackgroundDeclarations,
  createStack,
  type StackOptions,
} from '../../../infra/deploy/incentives-stack.ts';
import { type StageSettings, stages } from '../../../infra/deploy/stages.ts';
import type { Route } from '../../../shared/api/route.ts';
import { scratch } from './synth.ts';

const root = join(import.meta.dirname, '../../..');

/** Creates a minimal bundle for each Lambda function, because templates do not depend on the code. */
function emptyBundles(names: string[]): string {
  const folder = mkdtempSync(join(scratch, 'bundles-'));
  for (const name of names) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'index.js'), 'exports.handler = async () => {};');
  }
  return folder;
}

type Options = Omit<StackOptions, 'bundles' | 'settings'> & {
  settings?: Partial<StageSettings>;
  /**
   * If true, checks CloudFormation's rules, as the CDK app always does. Defaults to false, because the check
   * takes seconds.
   */
  validated?: boolean;
};

/** Returns the stack of a stage, with the context of cdk.json and fixed values for settings that operators choose. */
export function stackOf({ validated = false, ...options }: Options) {
  const { context } = JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8'));
  const outdir = mkdtempSync(join(scratch, 'out-'));
  const app = new App({
    context,
    outdir,
    analyticsReporting: false,
    builtinCloudFormationValidation: validated,
  });
  const extra = [...(options.background?.workers ?? []), ...(options.routes ?? [])].map(({ name }) => name);
  const filledIn = {
    deploysTo: undefined,
    alarmEmail: 'ops@example.com',
    publicUrl: undefined,
    domain: undefined,
    restoredTable: undefined,
    createsLogRole: true,
    authorizerConcurrency: undefined,
    playConcurrency: undefined,
  };
  const settings = { ...stages[options.stage], ...filledIn, ...options.settings };
  const bundles = emptyBundles([...functionNames(), ...extra]);
  const stack = createStack(app, { ...options, settings, bundles });
  return { app, stack };
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the template has
export type Resource = { Type: string; Properties: any; DeletionPolicy?: string };

/**
 * Returns a stage's template and functions that find resources by type. `all` also returns ids. `only`
 * expects a single resource.
 */
export function templateOf(options: Options) {
  const template = Template.fromStack(stackOf(options).stack);
  const resources = template.toJSON().Resources as Record<string, Resource>;
  const all = (type: string) => Object.entries(resources).filter(([, { Type }]) => Type === type);
  const of = (type: string) => all(type).map(([, resource]) => resource);
  const only = (type: string) => {
    const [found, ...others] = all(type);
    if (!found || others.length > 0) throw new Error(`not exactly one ${type}`);
    return { id: found[0], ...found[1] };
  };
  return { template, resources, all, of, only };
}

/** Sample endpoints of special kinds: one does not exist in production, and one has a credential in its path. */
export const sampleRoutes: Route[] = [
  {
    name: 'debug/sample',
    method: 'PUT',
    path: '/debug/sample',
    summary: '',
    description: '',
    schemas: () => ({ reply: z.object({}) }),
    access: { table: ['UpdateItem'] },
    stages: ['local', 'staging'],
  },
  {
    name: 'play/sample',
    method: 'POST',
    path: '/play/{token}/sample',
    summary: '',
    description: '',
    schemas: () => ({ reply: z.object({}) }),
    access: { table: ['GetItem', 'Query'], index: true, key: ['GenerateDataKey'] },
    credential: 'play-token',
  },
];

/** A sample worker for each kind of event source, with the queues and schedules that the workers need. */
export const sampleBackground: BackgroundDeclarations = {
  queues: {
    deliveries: {
      visibilityTimeoutSeconds: 60,
      maxReceives: 3,
      impact: 'No webhooks.',
      recovery: 'Then move them back.',
    },
    'spin-shards': {
      visibilityTimeoutSeconds: 960,
      maxReceives: 5,
      impact: 'No free spins.',
      recovery: 'Then move them back.',
    },
    drawings: {
      visibilityTimeoutSeconds: 960,
      maxReceives: 5,
      impact: 'No drawings.',
      recovery: 'Then move them back.',
    },
  },
  schedules: {
    'spin-run': { expression: 'cron(0 0 * * ? *)', timezone: 'America/New_York' },
    'spin-sweep': { expression: 'rate(15 minutes)', timezone: 'UTC' },
  },
  workers: [
    {
      name: 'workers/sample-stream',
      source: {
        stream: true,
        batchSize: 100,
        batchWindowSeconds: 1,
        parallelPerShard: 4,
        retries: 8,
        recovery: 'Read the records again.',
      },
      access: { table: ['Query'], sends: ['deliveries'] },
      impact: 'Nothing is told.',
      timeoutSeconds: 30,
      memoryMb: 512,
    },
    {
      name: 'workers/sample-queue',
      source: { queue: 'deliveries', batchSize: 10, maxConcurrency: 200 },
      threads: 16,
      access: {
        table: ['GetItem', 'PutItem'],
        sends: ['deliveries'],
        parks: ['spin-shards'],
        key: ['Decrypt'],
      },
      impact: 'Nothing is sent.',
      timeoutSeconds: 45,
      memoryMb: 512,
      alarms: [
        { metric: 'WebhooksSwitchedOff', threshold: 100, minutes: 15, runbook: 'Look at the receivers.' },
      ],
    },
    {
      name: 'workers/sample-schedule',
      source: { schedules: ['spin-run', 'spin-sweep'], oneTimeSchedules: true },
      access: { index: true, sends: ['spin-shards'] },
      impact: 'Nothing is started.',
      timeoutSeconds: 60,
      memoryMb: 256,
    },
  ],
};
