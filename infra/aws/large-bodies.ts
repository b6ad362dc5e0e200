import { Duration, IgnoreMode, Stack } from 'aws-cdk-lib';
import { OriginProtocolPolicy, VpcOrigin, VpcOriginEndpoint } from 'aws-cdk-lib/aws-cloudfront';
import {
  FlowLogDestination,
  FlowLogTrafficType,
  GatewayVpcEndpointAwsService,
  IpAddresses,
  type IVpc,
  Peer,
  Port,
  SecurityGroup,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import { Platform } from 'aws-cdk-lib/aws-ecr-assets';
import {
  Cluster,
  ContainerImage,
  ContainerInsights,
  CpuArchitecture,
  FargateService,
  FargateTaskDefinition,
  type ICluster,
  LogDriver,
  OperatingSystemFamily,
  Protocol,
} from 'aws-cdk-lib/aws-ecs';
import {
  ApplicationLoadBalancer,
  ApplicationProtocol,
  type ApplicationTargetGroup,
} from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { acknowledge } from './acknowledge.ts';
import {
  edgeLockEnvironment,
  grantInference,
  grantSweep,
  inferenceEnvironment,
  LONGEST_REQUEST,
} from './api.ts';
import { PROJECT_ROOT } from './build.ts';
import type { Data } from './data.ts';
import { type Deployment, metricsNamespace } from './function.ts';

const CONTAINER_PORT = 8080;
const LISTENER_PORT = 80;
/** A whole virtual CPU. */
const TASK_CPU = 1024;
/** A body of 100 MB takes up to 800 MB while it is worked on: four at a time, and the code. */
const TASK_MEMORY_MB = 4096;
/** Longer than the edge waits, shorter than the container keeps a connection, so that nobody closes under the other. */
export const IDLE_TIMEOUT = Duration.seconds(130);
/** Megabytes of it that JavaScript may fill with texts and objects; the bodies' bytes lie beside them. */
const HEAP_MB = 3072;
/** The longest that Fargate waits between asking a container to stop and stopping it. */
const STOP_TIMEOUT = Duration.seconds(120);

/** What the edge needs to send large bodies there. */
export interface LargeBodies {
  readonly stack: Stack;
  readonly vpcOrigin: VpcOrigin;
}

/** The image of the project's Dockerfile: `cdk deploy` builds it, `cdk synth` needs no Docker. */
export function containerImage(): ContainerImage {
  return ContainerImage.fromAsset(PROJECT_ROOT, {
    platform: Platform.LINUX_ARM64,
    ignoreMode: IgnoreMode.DOCKER,
  });
}

/**
 * The origin for bodies that a function cannot take: the container of the local server on Fargate,
 * behind a load balancer that only CloudFront reaches.
 */
export function createLargeBodiesStack(
  deployment: Deployment,
  data: Data,
  image: ContainerImage,
): LargeBodies {
  const { app, settings } = deployment;
  const stack = new Stack(app, `tollgate-${settings.name}-large-bodies`, {
    description: 'Tollgate: containers for bodies that a function cannot take',
  });
  const vpc = createNetwork(stack, deployment);
  const service = createService({ stack, deployment, data, vpc, image });
  const balancer = createBalancer(stack, vpc, service);
  const vpcOrigin = new VpcOrigin(stack, 'vpc-origin', {
    endpoint: VpcOriginEndpoint.applicationLoadBalancer(balancer),
    protocolPolicy: OriginProtocolPolicy.HTTP_ONLY,
    httpPort: LISTENER_PORT,
  });
  return { stack, vpcOrigin };
}

/**
 * No NAT gateway: tasks stand in public subnets with an address of their own, which nothing may
 * call but the load balancer, and that stands in subnets without a way to the internet.
 */
function createNetwork(stack: Stack, { settings }: Deployment): IVpc {
  const vpc = new Vpc(stack, 'network', {
    ipAddresses: IpAddresses.cidr('10.0.0.0/20'),
    maxAzs: 2,
    natGateways: 0,
    subnetConfiguration: [
      { name: 'tasks', subnetType: SubnetType.PUBLIC },
      { name: 'balancer', subnetType: SubnetType.PRIVATE_ISOLATED },
    ],
    // The tables and the layers of the image cost nothing through these.
    gatewayEndpoints: {
      dynamodb: { service: GatewayVpcEndpointAwsService.DYNAMODB },
      s3: { service: GatewayVpcEndpointAwsService.S3 },
    },
  });
  const logGroup = new LogGroup(stack, 'refused-connections', {
    retention: settings.logRetention,
    removalPolicy: settings.removalPolicy,
  });
  vpc.addFlowLog('refused', {
    destination: FlowLogDestination.toCloudWatchLogs(logGroup),
    trafficType: FlowLogTrafficType.REJECT,
  });
  // The library's classes do not keep to `exactOptionalPropertyTypes`; nor does the cluster's below.
  return vpc as IVpc;
}

interface ServiceParts {
  readonly stack: Stack;
  readonly deployment: Deployment;
  readonly data: Data;
  readonly vpc: IVpc;
  readonly image: ContainerImage;
}

function createService(parts: ServiceParts): FargateService {
  const { stack, deployment, vpc } = parts;
  const { containers } = deployment.settings;
  const cluster = new Cluster(stack, 'cluster', {
    vpc,
    containerInsightsV2: ContainerInsights.ENABLED,
  });
  const service = new FargateService(stack, 'service', {
    cluster: cluster as ICluster,
    taskDefinition: createTask(parts),
    desiredCount: containers.least,
    minHealthyPercent: 100,
    // A version that does not start is taken back, and the deployment fails.
    circuitBreaker: { rollback: true },
    assignPublicIp: true,
    vpcSubnets: { subnetType: SubnetType.PUBLIC },
    healthCheckGracePeriod: Duration.seconds(60),
  });
  const scaling = service.autoScaleTaskCount({
    minCapacity: containers.least,
    maxCapacity: containers.most,
  });
  scaling.scaleOnCpuUtilization('cpu', { targetUtilizationPercent: 60 });
  scaling.scaleOnMemoryUtilization('memory', { targetUtilizationPercent: 70 });
  return service;
}

/** What the POST functions know and may do, and the sweep, which runs in every container. */
function createTask({ stack, deployment, data, image }: ServiceParts): FargateTaskDefinition {
  const { settings } = deployment;
  const task = new FargateTaskDefinition(stack, 'task', {
    cpu: TASK_CPU,
    memoryLimitMiB: TASK_MEMORY_MB,
    runtimePlatform: {
      cpuArchitecture: CpuArchitecture.ARM64,
      operatingSystemFamily: OperatingSystemFamily.LINUX,
    },
  });
  // No name of its own: a stack that was taken away and comes back would find its name taken.
  const logGroup = new LogGroup(stack, 'gateway-log', {
    retention: settings.logRetention,
    removalPolicy: settings.removalPolicy,
  });
  task.addContainer('gateway', {
    image,
    portMappings: [{ containerPort: CONTAINER_PORT, protocol: Protocol.TCP }],
    environment: {
      ...inferenceEnvironment(deployment, data),
      ...edgeLockEnvironment(data),
      AWS_REGION: stack.region,
      NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
      METRICS_NAMESPACE: metricsNamespace(settings),
      PORT: String(CONTAINER_PORT),
    },
    logging: LogDriver.awsLogs({ logGroup, streamPrefix: 'gateway' }),
    stopTimeout: STOP_TIMEOUT,
  });
  acknowledge(task, { ECS2: 'Names of tables, secrets and the queue: never a secret’s value.' });
  acknowledge(task.obtainExecutionRole(), {
    'IAM5[Resource::*]':
      'ECR knows no resource for GetAuthorizationToken, which opens nothing alone.',
  });
  grantInference(data, task.taskRole);
  grantSweep(data, task.taskRole);
  data.edgeSecret.grantRead(task.taskRole);
  return task;
}

function createBalancer(stack: Stack, vpc: IVpc, service: FargateService): ApplicationLoadBalancer {
  const securityGroup = new SecurityGroup(stack, 'balancer-access', {
    vpc,
    description: 'CloudFront to the load balancer',
    allowAllOutbound: false,
  });
  acknowledge(securityGroup, {
    EC23: 'A load balancer in subnets that the internet cannot reach.',
  });
  // Which addresses CloudFront comes from differs by region; from the internet no way leads here.
  securityGroup.addIngressRule(Peer.anyIpv4(), Port.tcp(LISTENER_PORT), 'CloudFront VPC origin');
  const balancer = new ApplicationLoadBalancer(stack, 'balancer', {
    vpc,
    internetFacing: false,
    vpcSubnets: { subnetType: SubnetType.PRIVATE_ISOLATED },
    securityGroup,
    idleTimeout: IDLE_TIMEOUT,
    dropInvalidHeaderFields: true,
  });
  acknowledge(balancer, {
    ELB2: 'Only the edge calls it, and the edge logs each request, as the gateway does.',
  });
  const listener = balancer.addListener('http', {
    port: LISTENER_PORT,
    protocol: ApplicationProtocol.HTTP,
    open: false,
  });
  addTargets(listener, service);
  return balancer;
}

function addTargets(
  listener: ReturnType<ApplicationLoadBalancer['addListener']>,
  service: FargateService,
): ApplicationTargetGroup {
  return listener.addTargets('gateway', {
    port: CONTAINER_PORT,
    protocol: ApplicationProtocol.HTTP,
    targets: [service],
    // A task that is to stop gets no more requests, and its running ones may take their time.
    deregistrationDelay: LONGEST_REQUEST,
    healthCheck: {
      path: '/v1/models',
      // Checks do not come through the edge: to them the lock says 404.
      healthyHttpCodes: '200,404',
      interval: Duration.seconds(15),
      timeout: Duration.seconds(5),
      healthyThresholdCount: 2,
      unhealthyThresholdCount: 4,
    },
  });
}
