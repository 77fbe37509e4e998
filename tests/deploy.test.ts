import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';

const read = (path: string) => readFile(new URL(`../${path}`, import.meta.url), 'utf8');

/** The documents of a file. Throws for a key that is there twice, and for all that YAML does not allow. */
async function documentsOf(path: string): Promise<unknown[]> {
  const documents = parseAllDocuments(await read(path));
  return documents.map((document) => {
    const [error] = document.errors;
    if (error) throw error;
    return document.toJS() as unknown;
  });
}

const text = z.string().min(1);
const count = z.int().positive();
const labels = z.record(z.string(), text);
const name = z.strictObject({ name: text });
const selector = z.strictObject({ matchLabels: labels });
const quantity = z.string().regex(/^\d+(\.\d+)?(m|Ki|Mi|Gi)?$/);

const probe = z.strictObject({
  httpGet: z.strictObject({ path: z.enum(['/healthz', '/readyz']), port: text }),
  periodSeconds: count,
  failureThreshold: count.optional(),
});
const container = z.strictObject({
  name: text,
  image: text,
  envFrom: z.array(z.union([z.strictObject({ configMapRef: name }), z.strictObject({ secretRef: name })])),
  env: z.array(z.strictObject({ name: text, value: text })),
  ports: z.array(z.strictObject({ name: text, containerPort: count })),
  startupProbe: probe,
  livenessProbe: probe,
  readinessProbe: probe,
  resources: z.strictObject({
    requests: z.strictObject({ cpu: quantity, memory: quantity }),
    limits: z.strictObject({ memory: quantity }),
  }),
  volumeMounts: z.array(z.strictObject({ name: text, mountPath: text })),
});
const deployment = z.strictObject({
  apiVersion: z.literal('apps/v1'),
  kind: z.literal('Deployment'),
  metadata: z.strictObject({ name: text, labels }),
  // An autoscaler has the number of replicas: one here would take it back at each apply.
  spec: z.strictObject({
    selector,
    strategy: z.strictObject({ rollingUpdate: z.strictObject({ maxUnavailable: z.int(), maxSurge: z.int() }) }),
    template: z.strictObject({
      metadata: z.strictObject({ labels, annotations: labels }),
      spec: z.strictObject({
        terminationGracePeriodSeconds: count,
        securityContext: z.strictObject({ runAsNonRoot: z.literal(true), runAsUser: count, fsGroup: count }),
        containers: z.tuple([container]),
        volumes: z.array(z.strictObject({ name: text, emptyDir: z.strictObject({}) })),
      }),
    }),
  }),
});
const metric = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('Resource'),
    resource: z.strictObject({
      name: z.enum(['cpu', 'memory']),
      target: z.strictObject({ type: z.literal('Utilization'), averageUtilization: count }),
    }),
  }),
  z.strictObject({
    type: z.literal('Pods'),
    pods: z.strictObject({
      metric: name,
      target: z.strictObject({ type: z.literal('AverageValue'), averageValue: quantity }),
    }),
  }),
]);
const autoscaler = z.strictObject({
  apiVersion: z.literal('autoscaling/v2'),
  kind: z.literal('HorizontalPodAutoscaler'),
  metadata: name,
  spec: z.strictObject({
    scaleTargetRef: z.strictObject({ apiVersion: z.literal('apps/v1'), kind: z.literal('Deployment'), name: text }),
    minReplicas: count,
    maxReplicas: count,
    metrics: z.array(metric).min(1),
    behavior: z
      .strictObject({
        scaleDown: z.strictObject({
          stabilizationWindowSeconds: z.int().max(3_600),
          policies: z.array(
            z.strictObject({ type: z.enum(['Pods', 'Percent']), value: count, periodSeconds: count.max(1_800) }),
          ),
        }),
      })
      .optional(),
  }),
});
const budget = z.strictObject({
  apiVersion: z.literal('policy/v1'),
  kind: z.literal('PodDisruptionBudget'),
  metadata: name,
  spec: z.strictObject({ minAvailable: count, selector }),
});
const service = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('Service'),
  metadata: name,
  spec: z.strictObject({
    selector: labels,
    ports: z.array(z.strictObject({ name: text, port: count, targetPort: text })),
  }),
});
const configMap = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('ConfigMap'),
  metadata: name,
  data: z.record(z.string(), text),
});
const manifest = z.discriminatedUnion('kind', [configMap, deployment, service, budget, autoscaler]);

/** Values of the adapter's chart. */
const adapterValues = z.strictObject({
  prometheus: z.strictObject({ url: z.url(), port: count }),
  rules: z.strictObject({
    default: z.literal(false),
    custom: z.array(
      z.strictObject({
        seriesQuery: z.string().regex(/^\w+\{namespace!="",pod!=""\}$/),
        resources: z.strictObject({
          overrides: z.strictObject({
            namespace: z.strictObject({ resource: z.literal('namespace') }),
            pod: z.strictObject({ resource: z.literal('pod') }),
          }),
        }),
        metricsQuery: z.string().regex(/^\w+ by \(<<\.GroupBy>>\) \(.*<<\.Series>>\{<<\.LabelMatchers>>\}.*\)$/),
      }),
    ),
  }),
});

const rules = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: text,
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Dovepost\w+$/),
          expr: text,
          for: z
            .string()
            .regex(/^\d+[smh]$/)
            .optional(),
          labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
          annotations: z.strictObject({ summary: text, runbook: z.string().regex(/^(docs|deploy)\/\w+\.md: .+/) }),
        }),
      ),
    }),
  ),
});

const has = (all: Record<string, string>, some: Record<string, string>) =>
  Object.entries(some).every(([key, value]) => all[key] === value);

test('manifests have no field that Kubernetes does not know, and refer to what is there', async () => {
  const all = (await documentsOf('deploy/kubernetes/dovepost.yaml')).map((document) => manifest.parse(document));
  const ofKind = <Kind extends (typeof all)[number]['kind']>(kind: Kind) =>
    all.filter((each): each is Extract<(typeof all)[number], { kind: Kind }> => each.kind === kind);
  const deployments = ofKind('Deployment');
  expect(deployments.map(({ metadata }) => metadata.name)).toEqual(['dovepost-api', 'dovepost-worker']);
  for (const { spec } of deployments) {
    const { metadata, spec: pod } = spec.template;
    expect(has(metadata.labels, spec.selector.matchLabels)).toBe(true);
    const [{ ports, volumeMounts, envFrom, ...probes }] = pod.containers;
    const names = ports.map((port) => port.name);
    for (const { httpGet } of [probes.startupProbe, probes.livenessProbe, probes.readinessProbe]) {
      expect(names).toContain(httpGet.port);
    }
    const metrics = ports.find((port) => port.name === 'metrics')?.containerPort;
    expect(metadata.annotations).toEqual({ 'prometheus.io/scrape': 'true', 'prometheus.io/port': String(metrics) });
    expect(volumeMounts.map((mount) => mount.name)).toEqual(pod.volumes.map((volume) => volume.name));
    const maps = envFrom.flatMap((from) => ('configMapRef' in from ? [from.configMapRef.name] : []));
    expect(ofKind('ConfigMap').map((map) => map.metadata.name)).toEqual(expect.arrayContaining(maps));
  }
  const selected = [
    ...ofKind('Service').map(({ spec }) => spec.selector),
    ...ofKind('PodDisruptionBudget').map(({ spec }) => spec.selector.matchLabels),
  ];
  for (const wanted of selected) {
    expect(deployments.filter(({ spec }) => has(spec.template.metadata.labels, wanted))).toHaveLength(1);
  }
  const scaled = ofKind('HorizontalPodAutoscaler');
  expect(scaled.map(({ spec }) => spec.scaleTargetRef.name)).toEqual(deployments.map(({ metadata }) => metadata.name));
  for (const { spec } of scaled) expect(spec.maxReplicas).toBeGreaterThan(spec.minReplicas);

  const [values] = await documentsOf('deploy/kubernetes/prometheus-adapter.yaml');
  const given = adapterValues.parse(values).rules.custom.map(({ seriesQuery }) => seriesQuery.replace(/\{.*/, ''));
  const asked = scaled.flatMap(({ spec }) =>
    spec.metrics.flatMap((each) => (each.type === 'Pods' ? [each.pods.metric.name] : [])),
  );
  expect(asked).toEqual(given);
});

test('each alert has the fields of Prometheus, and a runbook that is there', async () => {
  const [document] = await documentsOf('deploy/alerts.yaml');
  const alerts = rules.parse(document).groups.flatMap((group) => group.rules);
  expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
  for (const { annotations } of alerts) {
    const [file = '', heading = ''] = annotations.runbook.split(/: (.*)/);
    const headings: string[] = (await read(file)).match(/(?<=^#+ ).+$/gm) ?? [];
    expect([annotations.runbook, headings.includes(heading)]).toEqual([annotations.runbook, true]);
  }
});

test('the compose file names the volumes and services that there are', async () => {
  const compose = z.strictObject({
    services: z.record(
      z.string(),
      z.strictObject({
        image: text.optional(),
        build: z.strictObject({ context: text, dockerfile: text }).optional(),
        restart: z.literal('unless-stopped'),
        stop_grace_period: text.optional(),
        depends_on: z.record(z.string(), z.strictObject({ condition: z.literal('service_healthy') })).optional(),
        environment: z.record(z.string(), text).optional(),
        ports: z.array(text).optional(),
        volumes: z.array(z.string().regex(/^[\w./]+:\/[\w/.]+(:ro)?$/)),
        healthcheck: z.strictObject({ test: z.array(text), interval: text, retries: count }).optional(),
      }),
    ),
    volumes: z.record(z.string(), z.null()),
  });
  const [document] = await documentsOf('deploy/compose.yaml');
  const { services, volumes } = compose.parse(document);
  const mounted = Object.values(services).flatMap((each) => each.volumes.map((volume) => volume.split(':')[0] ?? ''));
  expect(mounted.filter((source) => !source.startsWith('.'))).toEqual(Object.keys(volumes));
  for (const { depends_on: others = {}, image, build } of Object.values(services)) {
    expect(Boolean(image)).toBe(!build);
    for (const other of Object.keys(others)) expect(services[other]?.healthcheck).toBeDefined();
  }
});

test('figures that every process shows are counted once, by all of their labels', async () => {
  const asked = [await read('deploy/alerts.yaml'), await read('deploy/grafana-dashboard.json')].join('\n');
  const counted = asked.match(/.*\bdovepost_phone_count\b.*/g) ?? [];
  expect(counted.length).toBeGreaterThan(1);
  for (const expression of counted) {
    const [, summed = '', selected = ''] =
      /sum.*\(max by \(([^)]*)\) \(dovepost_phone_count(\{[^}]*\})?\)\)/.exec(expression) ?? [];
    for (const label of ['status', 'connector', 'held']) expect(`${summed}${selected}`).toContain(label);
  }
});
